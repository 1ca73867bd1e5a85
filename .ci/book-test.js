// Measurements inside a page of the book. `.ci/book-test` evaluates this file in the page and calls one function.

// Returns the ids, links and images of the page.
function facts() {
  const named = [...document.querySelectorAll("[id], a[name]")];
  const icon = (svg) => svg.closest('[aria-hidden="true"], button, .fa-svg');
  const label = (svg) => svg.getAttribute("aria-label") || svg.querySelector("title")?.textContent || "";
  return {
    ids: named.flatMap((element) => [element.id, element.name]).filter((id) => typeof id === "string" && id),
    links: [...document.links].map((link) => link.href),
    images: [...document.querySelectorAll("main img")].map((image) => ({
      name: image.getAttribute("src"),
      alt: image.alt.trim(),
      loaded: image.complete && image.naturalWidth > 0,
    })),
    drawings: [...document.querySelectorAll("main svg")].filter((svg) => !icon(svg)).map((svg) => ({
      label: label(svg).trim(),
      text: svg.querySelector("text") !== null,
    })),
  };
}

// Returns the rows of the tables of limits, each with the title of its section.
function limits() {
  return [...document.querySelectorAll("main tbody tr")].map((row) => {
    let section = row.closest("table").parentElement;
    while (section.localName !== "h2") section = section.previousElementSibling;
    return [section.textContent.trim(), ...[...row.cells].map((cell) => cell.textContent.trim())];
  });
}

// Returns the state of the interactive page: the choice, its sentence, and for each kernel its figures and the cycles
// that its bars show by their length. The end of the simulated bar is the end of its last part.
function explored() {
  const value = (id) => document.getElementById(`explore-${id}`)?.value;
  const machine = document.getElementById("explore-machine");
  return {
    choice: [value("algorithm"), value("machine"), value("messages")],
    machine: machine?.selectedOptions[0]?.textContent,
    sentence: document.getElementById("explore-status")?.textContent,
    rows: [...document.querySelectorAll("#explore tbody tr")].map((row) => {
      const ends = {};
      for (const bar of row.querySelectorAll("rect")) {
        const [x, width] = ["x", "width"].map((name) => Number(bar.getAttribute(name)));
        const name = ["chain", "units", "dispatch", "measured"].find((name) => bar.matches(`.${name}`)) || "simulated";
        ends[name] = Math.max(ends[name] || 0, x + width);
      }
      const size = row.querySelector("svg").getBoundingClientRect();
      return { figures: [...row.cells].map((cell) => cell.textContent), ends, visible: size.width > 0 && size.height > 0 };
    }),
  };
}

// Returns the state of the interactive page after each choice of a list, made by the fragment of the address.
async function afterEach(fragments) {
  const states = [];
  for (const fragment of fragments) {
    const changed = new Promise((done) => addEventListener("hashchange", done, { once: true }));
    if (location.hash !== fragment) {
      location.hash = fragment;
      await changed;
    }
    states.push(explored());
  }
  return states;
}

// Returns the lowest contrast between the outline of a bar and the background behind it.
function outlineContrast() {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  const pixel = (...colours) => {
    for (context.fillStyle of ["#fff", ...colours]) context.fillRect(0, 0, 1, 1);
    return luminance(context.getImageData(0, 0, 1, 1).data, 0);
  };
  const contrasts = [...document.querySelectorAll("#explore rect")].map((bar) => {
    const behind = [];
    for (let element = bar; element; element = element.parentElement) behind.unshift(getComputedStyle(element).backgroundColor);
    const { stroke } = getComputedStyle(bar);
    const [a, b] = [pixel(...behind), stroke === "none" ? pixel(...behind) : pixel(...behind, stroke)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
  return Math.min(...contrasts);
}

// Returns the outermost elements that leave the viewport sideways, unless a container inside the page's text scrolls
// them. A container that clips them or one that scrolls the whole text does not count.
function overflowing() {
  const width = document.documentElement.clientWidth;
  const main = document.querySelector("main") || document.body;
  const leaves = (element) => {
    const { left, right, width: own } = element.getBoundingClientRect();
    return own > 0 && (left < -1 || right > width + 1);
  };
  const scrolls = (element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowX) && !leaves(element);
  const found = [];
  const visit = (element) => {
    for (const child of element.children) {
      if (leaves(child)) found.push(child);
      else if (!scrolls(child)) visit(child);
    }
  };
  visit(main);
  const name = (element) =>
    `<${element.localName}> ${element.getAttribute("src") || element.textContent.trim().slice(0, 40)}`;
  let over = 0;
  for (let element = main; element; element = element.parentElement) {
    over = Math.max(over, element.scrollWidth - element.clientWidth);
  }
  return found.map(name).concat(over > 1 ? [`the text, by ${over} px`] : []);
}

// Returns, for each visible figure, also those that a click zooms, its name, its smallest text in CSS pixels, its text with the lowest contrast, and
// any text that its edge cuts off or that overlaps other text. Sizes and places are those of the SVG's text in a copy with the image's layout;
// contrasts compare the pixels of two renderings, with text and without.
async function figures() {
  const found = [];
  for (const zoomed of document.querySelectorAll("main .checkbox-img")) zoomed.checked = true;
  for (const image of document.querySelectorAll("main img")) {
    if (image.naturalWidth && image.getClientRects().length) found.push(await figure(image));
  }
  return found;
}

async function figure(image) {
  const report = { name: image.getAttribute("src"), smallest: null, faintest: null, cut: [], overlapping: [], unsupported: [] };
  const response = await fetch(image.src);
  if (!response.ok || !(response.headers.get("content-type") || "").startsWith("image/svg")) {
    report.unsupported.push("not an SVG");
    return report;
  }
  // A canvas has the image's own filter, but no effect of its ancestors.
  const style = getComputedStyle(image);
  let paper = "rgb(255, 255, 255)";
  for (let element = image, opaque = false; element; element = element.parentElement) {
    const { filter, opacity, mixBlendMode, backgroundColor } = getComputedStyle(element);
    if (element !== image && filter !== "none") report.unsupported.push("a filter of an ancestor");
    if (opacity !== "1" || mixBlendMode !== "normal") report.unsupported.push("opacity or blending");
    if (!opaque && !/^rgba\(.*, 0\)$/.test(backgroundColor)) {
      paper = backgroundColor;
      opaque = true;
    }
  }
  const { clientWidth: width, clientHeight: height } = image;
  const svg = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  const host = document.body.appendChild(document.createElement("div"));
  host.style.cssText = "all: initial; position: absolute; top: 0; left: 0; visibility: hidden";
  host.attachShadow({ mode: "open" }).append(document.importNode(svg, true));

  const zoom = 4;
  const pixels = [];
  for (const drawing of [svg, withoutText(svg)]) {
    pixels.push(painted(await rendering(drawing), width * zoom, height * zoom, paper, style.filter));
  }
  const glyphs = [];
  for (const text of host.shadowRoot.querySelectorAll("text")) {
    const matrix = text.getCTM();
    const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(matrix.a, matrix.b);
    const words = text.textContent.trim();
    if (words && (!report.smallest || size < report.smallest.size)) report.smallest = { size, words };
    let cut = false;
    for (let i = 0; i < text.getNumberOfChars(); i++) {
      const box = text.getExtentOfChar(i);
      if (!/[\p{L}\p{N}]/u.test(text.textContent[i])) continue;
      const [from, to] = [[box.x, box.y], [box.x + box.width, box.y + box.height]].map(([x, y]) =>
        new DOMPoint(x, y).matrixTransform(matrix));
      cut ||= from.x < -1 || from.y < -1 || to.x > width + 1 || to.y > height + 1;
      // Without most of the space above and below letters, which may overlap.
      const [above, below] = [0.3, 0.2].map((part) => part * (to.y - from.y));
      glyphs.push({ text, from: { x: from.x, y: from.y + above }, to: { x: to.x, y: to.y - below } });
      const contrast = glyphContrast(pixels, width * zoom, height * zoom, from, to, zoom);
      if (!report.faintest || contrast < report.faintest.contrast) report.faintest = { contrast, words };
    }
    if (cut) report.cut.push(words);
  }
  report.overlapping = overlaps(glyphs);
  host.remove();
  return report;
}

// Returns each pair of different texts with two glyphs that overlap by more than a pixel.
function overlaps(glyphs) {
  const found = new Set();
  glyphs.sort((a, b) => a.from.x - b.from.x);
  glyphs.forEach((glyph, i) => {
    for (const other of glyphs.slice(i + 1)) {
      if (other.from.x > glyph.to.x - 1) break;
      const height = Math.min(glyph.to.y, other.to.y) - Math.max(glyph.from.y, other.from.y);
      if (glyph.text !== other.text && height > 1) {
        found.add([glyph, other].map(({ text }) => text.textContent.trim()).join(" / "));
      }
    }
  });
  return [...found];
}

function withoutText(svg) {
  const copy = svg.cloneNode(true);
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = "text { visibility: hidden !important }";
  copy.append(style);
  return copy;
}

async function rendering(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }));
  await image.decode();
  URL.revokeObjectURL(image.src);
  return image;
}

function painted(image, width, height, paper, filter) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.fillStyle = paper;
  context.fillRect(0, 0, width, height);
  context.filter = filter;
  context.drawImage(image, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}

// WCAG 2.2, relative luminance and contrast ratio.
const LINEAR = Float64Array.from({ length: 256 }, (_, i) =>
  i / 255 <= 0.04045 ? i / 255 / 12.92 : ((i / 255 + 0.055) / 1.055) ** 2.4);
function luminance(data, at) {
  return 0.2126 * LINEAR[data[at]] + 0.7152 * LINEAR[data[at + 1]] + 0.0722 * LINEAR[data[at + 2]];
}

// Returns the ninth decile of the contrasts of a glyph's pixels with the pixels behind them: its edges are blended.
// A glyph without visible pixels has a contrast of 1.
function glyphContrast([full, bare], width, height, from, to, zoom) {
  const contrasts = [];
  const clamp = (value, limit) => Math.min(Math.max(Math.round(value * zoom), 0), limit);
  const [x0, x1, y0, y1] = [clamp(from.x, width), clamp(to.x, width), clamp(from.y, height), clamp(to.y, height)];
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const at = 4 * (y * width + x);
      if (full[at] === bare[at] && full[at + 1] === bare[at + 1] && full[at + 2] === bare[at + 2]) continue;
      const [a, b] = [luminance(full, at), luminance(bare, at)];
      contrasts.push((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
    }
  }
  contrasts.sort((a, b) => a - b);
  return contrasts.length ? contrasts[Math.floor(contrasts.length * 0.9)] : 1;
}
