// The bars of explore.md. EXPLORED, in explore-data.js, has the figures; the fragment of the address has the choice.
"use strict";

(() => {
  const TITLES = { sha1: "SHA-1", sha256: "SHA-256", sha512: "SHA-512" };
  const BLOCK_BYTES = { sha1: 64, sha256: 64, sha512: 128 };
  const MAX_MESSAGES = 9999;
  const STEPS = ["order", "schedulers", "memory", "bound_units"];
  const LEGEND = {
    chain: "chain", units: "busiest units", dispatch: "dispatch", bound: "simulated: highest bound", order: "+ order",
    schedulers: "+ schedulers", memory: "+ memory", bound_units: "+ bound units", measured: "measured",
  };

  // The machine with the most kernels is the default.
  const byKernels = [...EXPLORED].sort((a, b) => b.kernels.length - a.kernels.length);
  const DEFAULT = { algorithm: "sha256", machine: byKernels[0].name, messages: 1 };

  const choice = (algorithm, machine, messages) => {
    const valid = Object.hasOwn(TITLES, algorithm) && EXPLORED.some(({ name }) => name === machine) &&
      /^[1-9]\d*$/.test(messages) && Number(messages) <= MAX_MESSAGES;
    return valid ? { algorithm, machine, messages: Number(messages) } : null;
  };
  const chosen = () => choice(...location.hash.slice(1).split(",").concat("", "", "").slice(0, 3)) ?? DEFAULT;

  // Returns the figures of each kernel for the chosen messages, fastest first.
  const compute = ({ algorithm, machine, messages }) => {
    const { kernels } = EXPLORED.find(({ name }) => name === machine);
    const rows = kernels.filter((kernel) => kernel.algorithm === algorithm).map((kernel) => {
      const runs = Math.ceil(messages / kernel.lanes);
      const row = { kernel: kernel.kernel, pool: kernel.pool, runs };
      for (const name of ["chain", "units", "dispatch", "simulated", "measured", ...STEPS]) row[name] = runs * kernel[name];
      row.bound = Math.max(row.chain, row.units, row.dispatch);
      return row;
    });
    return rows.sort((a, b) => a.measured - b.measured);
  };

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const drawn = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  // Returns the bars of a kernel, in parts of `longest`. The row of the table has the same figures as text.
  const bars = (row, longest) => {
    const svg = drawn("svg", { viewBox: "0 0 1000 50", preserveAspectRatio: "none", "aria-hidden": "true" });
    const bar = (name, line, from, to) => {
      const x = (cycles) => 1000 * cycles / longest;
      if (to > from) {
        svg.append(drawn("rect", { class: name, x: x(from), y: 10 * line + 1, width: x(to - from), height: 8 }));
      }
    };
    ["chain", "units", "dispatch"].forEach((name, line) => bar(name, line, 0, row[name]));
    // A step that lowers the estimate has no length of its own.
    let level = row.bound, end = Math.min(row.bound, row.simulated);
    bar("bound", 3, 0, end);
    for (const step of STEPS) {
      level += row[step];
      const to = step === STEPS.at(-1) ? row.simulated : Math.min(level, row.simulated);
      bar(step, 3, end, to);
      end = Math.max(end, to);
    }
    bar("measured", 4, 0, row.measured);
    return svg;
  };

  const table = (rows, { algorithm, messages }) => {
    const longest = Math.max(...rows.map(({ simulated, measured }) => Math.max(simulated, measured)));
    const heads = ["kernel", "limits and time", "runs", "chain", "busiest units", "dispatch", "simulated", "measured",
      "cycles/byte"];
    const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
    const body = rows.map((row) => element("tr", row.measured === rows[0].measured ? { class: "fastest" } : {},
      element("th", { scope: "row" }, element("code", {}, row.kernel)),
      element("td", { class: "bars" }, bars(row, longest)),
      ...[row.runs, row.chain, `${row.units} ${row.pool}`, row.dispatch, row.simulated, row.measured,
        (row.measured / messages / BLOCK_BYTES[algorithm]).toFixed(2)].map((text) => element("td", {}, String(text)))));
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
  };

  const sentence = (rows, { algorithm, messages }, machine) => {
    const fastest = rows.filter(({ measured }) => measured === rows[0].measured).map(({ kernel }) => kernel);
    const count = messages === 1 ? "one message" : `${messages} messages`;
    return `Fastest for ${count} of ${TITLES[algorithm]} on ${machine.title}: ${fastest.join(" and ")}, ` +
      `${rows[0].measured} cycles for a block of each. Measured on ${machine.measured}.`;
  };

  const select = (id, options) =>
    element("select", { id }, ...options.map(([value, text]) => element("option", { value }, text)));
  const algorithm = select("explore-algorithm", Object.entries(TITLES));
  const machine = select("explore-machine", EXPLORED.map(({ name, title }) => [name, title]));
  const messages = element("input", { id: "explore-messages", type: "number", min: 1, max: MAX_MESSAGES, required: "" });
  const status = element("p", { id: "explore-status", role: "status" });
  const chart = element("div", { class: "table-wrapper", tabindex: 0, role: "region", "aria-label": "Kernels, fastest first" });
  const labelled = (text, control) => element("label", { for: control.id }, `${text} `, control);
  const legend = element("ul", { "aria-hidden": "true" }, ...Object.entries(LEGEND).map(([name, text]) => {
    const sample = drawn("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" });
    sample.append(drawn("rect", { class: name, x: 0, y: 0, width: 10, height: 10 }));
    return element("li", {}, sample, ` ${text}`);
  }));

  const show = (what) => {
    const rows = compute(what);
    status.textContent = sentence(rows, what, EXPLORED.find(({ name }) => name === what.machine));
    chart.replaceChildren(table(rows, what));
  };
  const restore = () => {
    const what = chosen();
    algorithm.value = what.algorithm;
    machine.value = what.machine;
    messages.value = what.messages;
    show(what);
  };
  const change = () => {
    const what = choice(algorithm.value, machine.value, messages.value);
    if (what) {
      history.replaceState(null, "", `#${Object.values(what).join(",")}`);
      show(what);
    } else {
      status.textContent = `The number of messages must be from 1 to ${MAX_MESSAGES}.`;
      chart.replaceChildren();
    }
  };

  const form = element("form", {}, labelled("Algorithm", algorithm), labelled("Machine", machine),
    labelled("Messages", messages));
  form.addEventListener("input", change);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", restore);
  const host = document.getElementById("explore");
  // The book would turn its page at an arrow key.
  host.addEventListener("keydown", (event) => event.stopPropagation());
  host.append(form, status, legend, chart);
  restore();
})();
