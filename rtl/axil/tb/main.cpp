// SPDX-License-Identifier: MIT OR Apache-2.0
// Tests lanesum_sha2_axil and its driver in Verilator: the messages of the file that +vectors=FILE names (default vectors.txt),
// and invalid accesses on the bus. Every clock checks the rules of AXI4-Lite. Exits with 1 at the first error.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "Vlanesum_sha2_axil.h"
#include "Vlanesum_sha2_axil___024root.h"
#include "lanesum_sha2.h"
#include "lanesum_sha2_regs.h"
#include "verilated.h"

namespace {

using Bytes = std::vector<uint8_t>;

#define REG(name) uint32_t(offsetof(lanesum_sha2_regs_t, name))

// Bits of registers, independent of the generated header, which the driver includes.
enum : uint32_t { START = 1, TAKE = 2, ZEROIZE = 4, RESTORE = 8, SHA224 = 0, SHA256 = 0x10 };
enum : uint32_t { IDLE = 1, BUSY = 2, DONE = 4, SAVED = 8, ERROR = 0x10 };
enum : uint32_t { E_DONE = 1, E_MODE = 2, E_STROBE = 4, E_SAVE = 8, E_REFUSED = 0x10 };
enum : uint32_t { LAST = 1, SAVE = 2 };
enum : uint32_t { OKAY = 0, SLVERR = 2 };

uint64_t clocks = 0;
const char *stage = "";

[[noreturn]] void fail(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(stderr, "lanesum_sha2_axil: fail: ");
  vfprintf(stderr, format, list);
  fprintf(stderr, ", in %s at clock %llu\n", stage, (unsigned long long)clocks);
  _Exit(1);
}

#define CHECK(condition) \
  do { \
    if (!(condition)) fail("line %d: %s", __LINE__, #condition); \
  } while (0)

uint32_t random_state = 1;
uint32_t xorshift(uint32_t &x) {
  x ^= x << 13;
  x ^= x >> 17;
  return x ^= x << 5;
}
uint32_t below(uint32_t n) { return xorshift(random_state) % n; }

Bytes noise(size_t length, uint32_t seed) {
  Bytes out(length);
  for (auto &byte : out) byte = uint8_t(xorshift(seed));
  return out;
}

// A master with a queue for each channel, and its checks of the slave.
struct Bus {
  struct Write { uint32_t addr, data, strb; };
  struct Answer { uint32_t resp, data; uint64_t clock; };
  Vlanesum_sha2_axil top;
  bool stalls = false;   // of the master
  bool blocked = false;  // no response is accepted
  std::deque<uint32_t> aw, ar;
  std::deque<std::pair<uint32_t, uint32_t>> w;
  std::deque<Answer> b, r;
  size_t aw_done = 0, w_done = 0, ar_done = 0, b_done = 0, r_done = 0;
  bool b_held = false, r_held = false;
  uint32_t b_resp = 0, r_resp = 0, r_data = 0;

  Bus() { reset(); }

  // Asynchronous: between clock edges.
  void reset() {
    aw.clear(), w.clear(), ar.clear(), b.clear(), r.clear();
    aw_done = w_done = ar_done = b_done = r_done = 0;
    b_held = r_held = false;
    top.s_axil_awvalid = top.s_axil_wvalid = top.s_axil_arvalid = 0;
    top.clk_i = 0;
    top.rst_ni = 1;
    top.eval();
    top.rst_ni = 0;
    top.eval();
    CHECK(!top.s_axil_bvalid && !top.s_axil_rvalid && !top.irq_o);
    tick();
    top.rst_ni = 1;
  }

  bool go() { return !stalls || below(3) == 0; }

  std::vector<uint32_t> outputs() {
    return {top.s_axil_awready, top.s_axil_wready, top.s_axil_bvalid, top.s_axil_bresp, top.s_axil_arready,
            top.s_axil_rvalid, top.s_axil_rdata, top.s_axil_rresp, top.irq_o};
  }

  void flip() {
    top.s_axil_awvalid ^= 1, top.s_axil_wvalid ^= 1, top.s_axil_arvalid ^= 1, top.s_axil_bready ^= 1;
    top.s_axil_rready ^= 1, top.s_axil_awaddr ^= 255, top.s_axil_araddr ^= 255, top.s_axil_wstrb ^= 15;
    top.s_axil_wdata = ~top.s_axil_wdata;
  }

  void tick() {
    if (clocks > 10000000) fail("no end");
    top.clk_i = 0;
    if (top.rst_ni) {
      if (!top.s_axil_awvalid && !aw.empty() && go()) top.s_axil_awvalid = 1, top.s_axil_awaddr = aw.front();
      if (!top.s_axil_wvalid && !w.empty() && go())
        top.s_axil_wvalid = 1, top.s_axil_wdata = w.front().first, top.s_axil_wstrb = w.front().second;
      if (!top.s_axil_arvalid && !ar.empty() && go()) top.s_axil_arvalid = 1, top.s_axil_araddr = ar.front();
    }
    top.s_axil_bready = !blocked && go();
    top.s_axil_rready = !blocked && go();
    top.s_axil_awprot = top.s_axil_arprot = below(8);
    top.eval();
    auto before = outputs();
    if (below(4) == 0) {
      flip();
      top.eval();
      CHECK(outputs() == before);  // no input reaches an output
      flip();
      top.eval();
    }
    // A valid remains, with its payload, until ready; and it follows its request.
    if (b_held) CHECK(top.s_axil_bvalid && top.s_axil_bresp == b_resp);
    if (r_held) CHECK(top.s_axil_rvalid && top.s_axil_rresp == r_resp && top.s_axil_rdata == r_data);
    if (top.s_axil_bvalid) CHECK(b_done < aw_done && b_done < w_done);
    if (top.s_axil_rvalid) CHECK(r_done < ar_done);
    CHECK(top.rst_ni || (!top.s_axil_bvalid && !top.s_axil_rvalid));
    bool aw_go = top.s_axil_awvalid && top.s_axil_awready, w_go = top.s_axil_wvalid && top.s_axil_wready;
    bool ar_go = top.s_axil_arvalid && top.s_axil_arready;
    b_held = top.s_axil_bvalid && !top.s_axil_bready;
    r_held = top.s_axil_rvalid && !top.s_axil_rready;
    b_resp = top.s_axil_bresp, r_resp = top.s_axil_rresp, r_data = top.s_axil_rdata;
    if (top.rst_ni && top.s_axil_bvalid && top.s_axil_bready) b.push_back({b_resp, 0, clocks}), b_done++;
    if (top.rst_ni && top.s_axil_rvalid && top.s_axil_rready) r.push_back({r_resp, r_data, clocks}), r_done++;
    top.clk_i = 1;
    top.eval();
    clocks++;
    if (!top.rst_ni) return;
    if (aw_go) top.s_axil_awvalid = 0, aw.pop_front(), aw_done++;
    if (w_go) top.s_axil_wvalid = 0, w.pop_front(), w_done++;
    if (ar_go) top.s_axil_arvalid = 0, ar.pop_front(), ar_done++;
  }

  void ticks(unsigned n) { while (n--) tick(); }

  void push_write(uint32_t addr, uint32_t data, uint32_t strb = 15) {
    aw.push_back(addr);
    w.push_back({data, strb});
  }

  // All responses that are due. A slave that stalls too long fails.
  void drain() {
    unsigned limit = 100 * unsigned(1 + aw.size() + w.size() + ar.size());
    while (!aw.empty() || !w.empty() || !ar.empty() || b_done < aw_done || r_done < ar_done) {
      if (limit-- == 0) fail("no response");
      tick();
    }
  }

  uint32_t write(uint32_t addr, uint32_t data, uint32_t strb = 15) {
    b.clear();
    push_write(addr, data, strb);
    drain();
    CHECK(b.size() == 1);
    return b.front().resp;
  }

  Answer read(uint32_t addr) {
    r.clear();
    ar.push_back(addr);
    drain();
    CHECK(r.size() == 1);
    return r.front();
  }

  // Accesses that must have the response OKAY.
  void put(uint32_t addr, uint32_t data) { CHECK(write(addr, data) == OKAY); }
  uint32_t get(uint32_t addr) {
    Answer answer = read(addr);
    CHECK(answer.resp == OKAY);
    return answer.data;
  }
};

std::unique_ptr<Bus> bus;
uint32_t broken_id = 0;            // flips bits of ID
uint32_t broken_version = 0;       // flips bits of VERSION
bool broken_busy = false;          // STATUS is always busy
uint32_t broken_blocks = 0;        // flips bits of BLOCKS_LOW
unsigned reset_after = ~0u;        // resets the device before this access from now

void count_access() {
  if (reset_after == ~0u) return;
  if (reset_after-- == 0) bus->reset();
}

}  // namespace

extern "C" uint32_t lanesum_sha2_bus_read(volatile void *base, uint32_t offset) {
  CHECK(base == (volatile void *)&bus);
  count_access();
  uint32_t value = bus->get(offset);
  if (offset == REG(ID)) value ^= broken_id;
  if (offset == REG(VERSION)) value ^= broken_version;
  if (offset == REG(STATUS) && broken_busy) value = BUSY;
  if (offset == REG(BLOCKS_LOW)) value ^= broken_blocks;
  return value;
}

extern "C" void lanesum_sha2_bus_write(volatile void *base, uint32_t offset, uint32_t value) {
  CHECK(base == (volatile void *)&bus);
  count_access();
  bus->put(offset, value);
}

namespace {

struct Vector {
  int mode;
  Bytes message, digest;
};
std::vector<Vector> vectors;
std::map<std::pair<int, Bytes>, Bytes> digests;

Bytes from_hex(const std::string &hex) {
  Bytes out;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) out.push_back(uint8_t(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return out;
}

void load(const std::string &path) {
  std::ifstream file(path);
  if (!file) fail("cannot read %s", path.c_str());
  int mode;
  std::string kind;
  while (file >> mode >> kind) {
    Vector v;
    v.mode = mode;
    std::string hex, digest;
    size_t length;
    uint32_t seed;
    if (kind == "seed") {
      file >> length >> seed;
      v.message = noise(length, seed);
    } else {
      file >> hex;
      if (hex != "-") v.message = from_hex(hex);
    }
    file >> digest;
    v.digest = from_hex(digest);
    CHECK(file && v.digest.size() == size_t(mode / 8));
    digests[{mode, v.message}] = v.digest;
    vectors.push_back(v);
  }
  CHECK(vectors.size() > 100);
}

const Bytes &digest_of(int mode, const Bytes &message) {
  auto found = digests.find({mode, message});
  if (found == digests.end()) fail("no digest of a message of %zu bytes", message.size());
  return found->second;
}

// The message of the vectors with this length.
Bytes sample(size_t length) { return noise(length, uint32_t(length + 1)); }

uint32_t word(const Bytes &bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4 && at + i < bytes.size(); i++) value |= uint32_t(bytes[at + i]) << 8 * i;
  return value;
}

// ---- The wires ----

uint32_t status() {
  uint32_t value = bus->get(REG(STATUS));
  CHECK((value & (IDLE | BUSY | DONE)) && !((value & 7) & ((value & 7) - 1)));  // exactly one
  CHECK(!(value & ~0x1fu) && (!(value & SAVED) || (value & DONE)));
  return value;
}

uint32_t settled() {
  for (unsigned i = 0; i < 100; i++)
    if (!(status() & BUSY)) return status();
  fail("busy for too long");
}

// The writes of DATA and LAST of a message.
void push_message(const Bytes &message, bool save = false) {
  size_t at = 0;
  while (message.size() - at > 4) bus->push_write(REG(DATA), word(message, at)), at += 4;
  bus->push_write(REG(LAST), LAST | (save ? SAVE : 0) | uint32_t(message.size() - at) << 4);
  // Bytes beyond the last are not part of the message.
  uint32_t rest = uint32_t(message.size() - at);
  bus->push_write(REG(DATA), word(message, at) | (rest < 4 ? ~0u << 8 * rest : 0));
}

void expect_okay() {
  bus->drain();
  for (auto &answer : bus->b) CHECK(answer.resp == OKAY);
  bus->b.clear();
}

Bytes value() {
  Bytes out;
  for (uint32_t i = 0; i < 8; i++) {
    uint32_t w = bus->get(REG(DIGEST0) + 4 * i);
    for (int j = 0; j < 4; j++) out.push_back(uint8_t(w >> 8 * j));
  }
  return out;
}

void expect_no_value() { CHECK(value() == Bytes(32)); }

void expect_digest(int mode, const Bytes &message) {
  CHECK((settled() & ~ERROR) == DONE);
  Bytes wanted = digest_of(mode, message);
  wanted.resize(32);
  CHECK(value() == wanted);
}

// A message on an idle device, which is idle again afterwards.
void good_message(size_t length = 64) {
  CHECK(status() == IDLE);
  CHECK((bus->get(REG(INTR_STATE)) & ~E_DONE) == 0);
  bus->b.clear();
  bus->push_write(REG(CONTROL), START | SHA256);
  push_message(sample(length));
  expect_okay();
  expect_digest(256, sample(length));
  CHECK(bus->get(REG(INTR_STATE)) & E_DONE);
  bus->put(REG(INTR_STATE), E_DONE);
  bus->put(REG(CONTROL), TAKE);
  CHECK(status() == IDLE);
  expect_no_value();
}

// The device has exactly these errors; clears them.
void expect_errors(uint32_t errors) {
  CHECK((bus->get(REG(INTR_STATE)) & ~E_DONE) == errors);
  CHECK(!(status() & ERROR) == !errors);
  bus->put(REG(INTR_STATE), ~0u);
  CHECK(bus->get(REG(INTR_STATE)) == 0);
}

void test_reset_values() {
  bus->reset();
  CHECK(bus->get(REG(ID)) == 0x3248534c && bus->get(REG(VERSION)) == 0x100);
  CHECK(bus->get(REG(CONTROL)) == SHA256 && bus->get(REG(STATUS)) == IDLE && bus->get(REG(INTR_ENABLE)) == 0);
  CHECK(bus->get(REG(INTR_STATE)) == 0 && bus->get(REG(LAST)) == 0 && !bus->top.irq_o);
  expect_no_value();
}

// Every address, in the middle of a message, which the accesses must not disturb.
void test_addresses() {
  auto readable = [](uint32_t a) { return a < 0x1c || (a >= 0x20 && a < 0x48); };
  auto writable = [](uint32_t a) {
    return a == 0x08 || a == 0x10 || (a >= 0x14 && a < 0x20) || (a >= 0x60 && a < 0x88);
  };
  bus->put(REG(CONTROL), START | SHA256);
  Bytes message = sample(256);
  size_t at = 0;
  for (; at < 40; at += 4) bus->put(REG(DATA), word(message, at));
  for (uint32_t addr = 0; addr < 256; addr++) {
    Bus::Answer answer = bus->read(addr);
    CHECK(answer.resp == (readable(addr & ~3u) ? OKAY : SLVERR));
    if (answer.resp) CHECK(answer.data == 0);
    if (!writable(addr & ~3u)) CHECK(bus->write(addr, ~0u) == SLVERR);
  }
  CHECK(status() == BUSY);
  // The two lowest bits of an address are ignored.
  for (; at < 252; at += 4) bus->put(REG(DATA) + at / 4 % 4, word(message, at));
  bus->put(REG(LAST) + 3, LAST | 4 << 4);
  CHECK(bus->get(REG(LAST) + 1) == (LAST | 4 << 4));
  bus->put(REG(DATA) + 1, word(message, at));
  CHECK(bus->get(REG(LAST)) == 0);
  expect_digest(256, message);
  bus->put(REG(CONTROL), TAKE);
  expect_errors(0);
}

// Strobes of all registers but DATA select bytes.
void test_strobes() {
  CHECK(bus->write(REG(CONTROL), START | SHA256, 14) == OKAY);  // without the byte that starts
  CHECK(status() == IDLE);
  CHECK(bus->write(REG(LAST), 0x31, 1) == OKAY && bus->get(REG(LAST)) == 0x31);
  CHECK(bus->write(REG(LAST), 0, 14) == OKAY && bus->get(REG(LAST)) == 0x31);
  bus->put(REG(LAST), 0);
  expect_errors(0);
  for (uint32_t strobes = 0; strobes < 16; strobes++) {
    // Not the last beat.
    bus->put(REG(CONTROL), START | SHA256);
    CHECK(bus->write(REG(DATA), 0x11111111, strobes) == OKAY);
    if (strobes == 15) {
      CHECK(status() == BUSY);
      bus->put(REG(CONTROL), ZEROIZE);
      CHECK(settled() == IDLE);
      expect_errors(0);
    } else {
      CHECK(settled() == (IDLE | ERROR));
      expect_errors(E_STROBE);
      good_message();
    }
    // The last beat, with each number of bytes, in the first and in a later word.
    for (uint32_t before : {0u, 4u})
      for (uint32_t bytes = 0; bytes < 8; bytes++) {
        Bytes message = sample(before + bytes);
        bus->put(REG(CONTROL), START | SHA224);
        if (before) bus->put(REG(DATA), word(message, 0));
        bus->put(REG(LAST), LAST | bytes << 4);
        CHECK(bus->write(REG(DATA), word(message, before), strobes) == OKAY);
        uint32_t wanted = (1u << bytes) - 1;
        if (bytes <= 4 && (wanted & ~strobes) == 0) {
          expect_digest(224, message);
          bus->put(REG(CONTROL), TAKE);
          expect_errors(0);
        } else {
          CHECK(settled() == (IDLE | ERROR));
          expect_no_value();
          expect_errors(E_STROBE);
        }
      }
  }
  // An error of the strobes precedes one of the context.
  bus->put(REG(CONTROL), START | SHA256);
  bus->put(REG(LAST), LAST | SAVE | 5 << 4);
  bus->put(REG(DATA), 0);
  CHECK(settled() == (IDLE | ERROR));
  expect_errors(E_STROBE);
  good_message();
}

void test_modes() {
  for (uint32_t mode = 2; mode < 8; mode++)
    for (int form = 0; form < 3; form++) {
      // No data; a message; the last word in the clock of the error.
      if (form == 2) bus->push_write(REG(LAST), LAST | 4 << 4);
      bus->push_write(REG(CONTROL), START | mode << 4);
      if (form == 1) push_message(sample(64));
      if (form == 2) bus->push_write(REG(DATA), 1);
      expect_okay();
      CHECK(settled() == (IDLE | ERROR));
      expect_no_value();
      uint32_t errors = bus->get(REG(INTR_STATE));
      CHECK(errors == E_MODE || (form != 0 && errors == (E_MODE | E_REFUSED)));
      expect_errors(errors);
      good_message();
    }
}

// Responses that the master does not accept for long.
void test_responses() {
  for (unsigned wait : {1, 2, 3, 5, 8, 40}) {
    bus->b.clear(), bus->r.clear();
    bus->blocked = true;
    for (uint32_t addr = 0; addr < 256; addr += 4) {
      bus->ar.push_back(addr < 0xc0 ? addr : addr % 8);  // ID and VERSION in turn
      bus->push_write(addr < 0x20 ? REG(ID) : addr < 0x40 ? REG(INTR_ENABLE) : 0xf0, addr, 1);
    }
    while (!bus->ar.empty() || !bus->aw.empty()) {
      bus->blocked = true;
      bus->ticks(wait);
      bus->blocked = false;
      bus->ticks(1 + below(3));
    }
    bus->drain();
    CHECK(bus->b.size() == 64 && bus->r.size() == 64);
    for (uint32_t i = 0; i < 64; i++) {
      CHECK(bus->b[i].resp == (i >= 8 && i < 16 ? OKAY : SLVERR));
      CHECK(bus->r[i].resp == (i < 7 || (i >= 8 && i < 18) || i >= 48 ? OKAY : SLVERR));
      if (i < 2 || i >= 48) CHECK(bus->r[i].data == (i % 2 ? 0x100 : 0x3248534c));
    }
    bus->put(REG(INTR_ENABLE), 0);
    bus->b.clear();
  }
}

// A digest that is not taken, and responses that are not accepted, for 10,000 clocks.
void test_long_stall() {
  good_message();
  bus->push_write(REG(CONTROL), START | SHA256);
  push_message(sample(64));
  expect_okay();
  CHECK(settled() == DONE);
  bus->ticks(10000);
  expect_digest(256, sample(64));
  bus->r.clear();
  bus->blocked = true;
  bus->push_write(REG(INTR_ENABLE), 0);
  bus->ar.push_back(REG(ID));
  bus->ticks(10000);
  CHECK(bus->b.empty() && bus->r.empty());
  bus->blocked = false;
  expect_okay();
  CHECK(bus->r.size() == 1 && bus->r.front().data == 0x3248534c);
  bus->put(REG(CONTROL), TAKE);
  expect_errors(0);
}

// Writes without effect.
void test_refused() {
  bus->put(REG(DATA), 1);  // no message
  expect_errors(E_REFUSED);
  bus->put(REG(LAST), LAST | 4 << 4);
  bus->put(REG(DATA), 1);
  CHECK(bus->get(REG(LAST)) == 0);
  CHECK(status() == (IDLE | ERROR));
  expect_errors(E_REFUSED);
  bus->put(REG(CONTROL), START | ZEROIZE | SHA256);
  CHECK(settled() == (IDLE | ERROR));
  expect_errors(E_REFUSED);
  good_message();

  // During a message: a second start, another mode, a context.
  Bytes message = sample(256);
  bus->put(REG(CONTROL), START | SHA256);
  for (size_t at = 0; at < 252; at += 4) {
    bus->put(REG(DATA), word(message, at));
    if (at == 0 || at == 100) {
      bus->put(REG(CONTROL), START | SHA224 | RESTORE);
      CHECK(bus->get(REG(CONTROL)) == SHA256);
      expect_errors(E_REFUSED);
      bus->put(REG(CONTROL), TAKE | SHA224);
      expect_errors(0);
    }
    if (at == 8) {
      for (uint32_t addr = REG(CONTEXT0); addr <= REG(CONTEXT_BLOCKS_HIGH); addr += 4) {
        bus->put(addr, 0x55555555);
        expect_errors(E_REFUSED);
      }
    }
  }
  bus->put(REG(LAST), LAST | 4 << 4);
  bus->put(REG(DATA), word(message, 252));
  // While the digest is computed.
  bus->put(REG(DATA), 0);
  expect_errors(E_REFUSED);
  bus->put(REG(CONTROL), START | TAKE | SHA256);
  expect_errors(E_REFUSED);
  expect_digest(256, message);
  // With a digest.
  bus->put(REG(DATA), 0);
  expect_errors(E_REFUSED);
  bus->put(REG(CONTROL), START | SHA256);
  expect_errors(E_REFUSED);
  expect_digest(256, message);
  // A start that takes the digest, and the next one.
  bus->put(REG(CONTROL), START | TAKE | SHA256);
  CHECK(status() == BUSY);
  expect_no_value();
  push_message(sample(1));
  expect_okay();
  expect_digest(256, sample(1));
  bus->put(REG(CONTROL), TAKE);
  expect_errors(0);
}

// A digest that becomes valid while the processor writes TAKE at the wrong time is not lost.
void test_early_take() {
  for (unsigned wait = 0; wait < 140; wait++) {
    bus->push_write(REG(CONTROL), START | SHA256);
    push_message(sample(3));
    expect_okay();
    bus->ticks(wait);
    bus->put(REG(CONTROL), TAKE);
    uint32_t now = settled();
    if (now == DONE) {
      expect_digest(256, sample(3));
      bus->put(REG(CONTROL), TAKE);
    }
    CHECK(wait < 60 ? now == DONE : wait < 80 || now == IDLE);
    CHECK(status() == IDLE);
    expect_errors(0);
  }
}

// The state between a write and its effect: reads at each clock.
void test_status() {
  for (unsigned wait = 0; wait < 20; wait++) {
    bus->push_write(REG(CONTROL), START | SHA256);
    bus->ticks(wait);
    uint32_t now = status();
    if (bus->b_done == bus->aw_done && wait > 8) CHECK(now == BUSY);
    bus->drain();
    CHECK(status() == BUSY);
    push_message(sample(0));
    expect_okay();
    expect_digest(256, sample(0));
    bus->push_write(REG(CONTROL), TAKE);
    bus->ticks(wait);
    (void)status();
    bus->drain();
    CHECK(status() == IDLE);
    bus->b.clear();
  }
}

void test_interrupts() {
  uint32_t errors[] = {E_MODE, E_STROBE, E_SAVE, E_REFUSED};
  auto raise = [](uint32_t event) {
    switch (event) {
      case E_MODE: bus->put(REG(CONTROL), START | 7 << 4); break;
      case E_STROBE:
        bus->put(REG(CONTROL), START | SHA256);
        CHECK(bus->write(REG(DATA), 0, 1) == OKAY);
        break;
      case E_SAVE:
        bus->put(REG(CONTROL), START | SHA256);
        bus->put(REG(LAST), LAST | SAVE | 4 << 4);
        bus->put(REG(DATA), 0);
        break;
      case E_REFUSED: bus->put(REG(DATA), 0); break;
      default:
        bus->push_write(REG(CONTROL), START | SHA256);
        push_message(sample(5));
        expect_okay();
        CHECK(settled() == DONE);
        bus->put(REG(CONTROL), TAKE);
    }
    settled();
  };
  for (uint32_t event : {uint32_t(E_DONE), errors[0], errors[1], errors[2], errors[3]})
    for (uint32_t enable = 0; enable < 32; enable++) {
      bus->put(REG(INTR_ENABLE), enable);
      CHECK(bus->get(REG(INTR_ENABLE)) == enable && !bus->top.irq_o);
      raise(event);
      CHECK(bus->get(REG(INTR_STATE)) == event);
      CHECK(bus->top.irq_o == ((enable & event) != 0));
      bus->put(REG(INTR_STATE), ~event);  // other bits clear nothing
      CHECK(bus->get(REG(INTR_STATE)) == event);
      CHECK(bus->write(REG(INTR_STATE), event, 14) == OKAY);
      CHECK(bus->get(REG(INTR_STATE)) == event);
      bus->put(REG(INTR_STATE), event);
      CHECK(bus->get(REG(INTR_STATE)) == 0 && !bus->top.irq_o);
    }
  bus->put(REG(INTR_ENABLE), 0);
  // An event in the clock of a write is not lost.
  for (unsigned wait = 0; wait < 90; wait++) {
    bus->push_write(REG(CONTROL), START | SHA256);
    push_message(sample(2));
    expect_okay();
    bus->ticks(wait);
    bus->put(REG(INTR_STATE), 0);
    CHECK(settled() == DONE);
    CHECK(bus->get(REG(INTR_STATE)) == E_DONE);
    bus->put(REG(INTR_STATE), E_DONE);
    bus->put(REG(CONTROL), TAKE);
  }
}

void push_context(const Bytes &value, uint64_t blocks) {
  for (uint32_t i = 0; i < 8; i++) bus->push_write(REG(CONTEXT0) + 4 * i, word(value, 4 * i));
  bus->push_write(REG(CONTEXT_BLOCKS_LOW), uint32_t(blocks));
  bus->push_write(REG(CONTEXT_BLOCKS_HIGH), uint32_t(blocks >> 32));
}

Bytes slice(const Bytes &bytes, size_t from, size_t to) { return Bytes(bytes.begin() + from, bytes.begin() + to); }

void test_contexts() {
  Bytes message = sample(256), half = slice(message, 0, 128);
  for (int mode : {224, 256}) {
    uint32_t bits = mode == 256 ? SHA256 : SHA224;
    bus->push_write(REG(CONTROL), START | bits);
    push_message(half, true);
    expect_okay();
    CHECK(settled() == (DONE | SAVED));
    CHECK(bus->get(REG(BLOCKS_LOW)) == 2 && bus->get(REG(BLOCKS_HIGH)) == 0);
    Bytes saved = value();
    bus->put(REG(CONTROL), TAKE);
    expect_no_value();
    good_message();
    // Writes of the context behind the start come too late.
    bus->b.clear();
    push_context(saved, 2);
    bus->push_write(REG(CONTROL), START | RESTORE | bits);
    push_context(Bytes(32, 0x33), 9);
    bus->push_write(REG(CONTROL), bits);
    push_message(slice(message, 128, 256));
    expect_okay();
    expect_digest(mode, message);
    bus->put(REG(CONTROL), TAKE);
    expect_errors(E_REFUSED);
    // The context remains for a second restore.
    bus->push_write(REG(CONTROL), START | RESTORE | bits);
    push_message(slice(message, 128, 256));
    expect_okay();
    expect_digest(mode, message);
    bus->put(REG(CONTROL), TAKE);
    expect_errors(0);
  }
  // The number of blocks has 55 bits.
  for (uint64_t blocks : {0x0000000fffffffffull, 0x6aaaaaffffffffull, 0x155555ffffffffull}) {
    push_context(sample(32), blocks);
    bus->push_write(REG(CONTROL), START | RESTORE | SHA256);
    push_message(sample(64), true);
    expect_okay();
    CHECK(settled() == (DONE | SAVED));
    uint64_t now = uint64_t(bus->get(REG(BLOCKS_HIGH))) << 32 | bus->get(REG(BLOCKS_LOW));
    CHECK(now == blocks + 1);
    bus->put(REG(CONTROL), TAKE);
    expect_errors(0);
  }
  // A context can only be saved at the end of a block.
  for (size_t length : {0, 1, 4, 60, 62, 63, 68, 124}) {
    bus->push_write(REG(CONTROL), START | SHA256);
    push_message(length < 64 ? sample(length < 12 ? length : 64 - (64 - length)) : sample(length), true);
    expect_okay();
    CHECK(settled() == (IDLE | ERROR));
    expect_no_value();
    expect_errors(E_SAVE);
  }
  good_message();
}

// After zeroize: idle without a digest, without message words, and with zeros as context.
void expect_zeroized() {
  CHECK(settled() == IDLE);
  CHECK(bus->top.rootp->lanesum_sha2_axil__DOT__word_q == 0);
  CHECK(bus->get(REG(LAST)) == 0);
  expect_no_value();
}

// A digest from the context. Only the lowest byte of each word is written.
Bytes from_context() {
  bus->put(REG(CONTROL), START | RESTORE | SHA256);
  CHECK(settled() == (IDLE | ERROR));
  expect_errors(E_REFUSED);
  bus->b.clear();
  for (uint32_t addr = REG(CONTEXT0); addr <= REG(CONTEXT_BLOCKS_HIGH); addr += 4) bus->push_write(addr, 0, 1);
  bus->push_write(REG(CONTROL), START | RESTORE | SHA256);
  push_message(Bytes(1, 'x'));
  expect_okay();
  CHECK((settled() & ~ERROR) == DONE);
  Bytes out = value();
  bus->put(REG(CONTROL), TAKE);
  return out;
}

void test_zeroize() {
  bus->reset();
  // Writes of the context that were refused do not count.
  bus->push_write(REG(CONTROL), START | SHA256);
  push_context(sample(32), 1);
  push_message(sample(1));
  expect_okay();
  expect_digest(256, sample(1));
  bus->put(REG(CONTROL), TAKE);
  expect_errors(E_REFUSED);
  Bytes zeros = from_context();
  Bytes message = sample(70);
  bus->b.clear();
  // Between all writes of a message, and behind the last at each clock until after its digest.
  std::vector<Bus::Write> writes;
  auto capture = [&](std::function<void()> push) {
    push();
    while (!bus->aw.empty()) {
      writes.push_back({bus->aw.front(), bus->w.front().first, bus->w.front().second});
      bus->aw.pop_front(), bus->w.pop_front();
    }
  };
  capture([&] { push_context(sample(32), 0x10305070901030); });
  capture([&] { bus->push_write(REG(CONTROL), START | SHA256); });
  capture([&] { push_message(message); });
  for (bool reset : {false, true})
    for (size_t cut = 0; cut < writes.size() + 150; cut++)
      for (unsigned after = 0; after < (cut < writes.size() ? 3 : 1); after++) {
        for (size_t i = 0; i < cut && i < writes.size(); i++)
          bus->push_write(writes[i].addr, writes[i].data, writes[i].strb);
        if (reset) {
          // In any clock of the writes: the master is reset, too.
          if (cut >= writes.size()) bus->drain();
          bus->ticks(unsigned(cut < writes.size() ? 2 * cut + after : cut - writes.size()));
          bus->reset();
          CHECK(bus->get(REG(INTR_STATE)) == 0 && bus->get(REG(CONTROL)) == SHA256);
          expect_zeroized();
        } else {
          if (cut > writes.size()) {
            bus->drain();
            bus->ticks(unsigned(cut - writes.size()));
          }
          bus->push_write(REG(CONTROL), ZEROIZE | SHA256);
          // Writes directly behind it are of no message.
          for (unsigned i = 0; i < after; i++) bus->push_write(REG(DATA), 0x66666666);
          expect_okay();
          uint32_t errors = bus->get(REG(INTR_STATE)) & ~E_DONE;
          CHECK(errors == (after ? E_REFUSED : 0));
          bus->put(REG(INTR_STATE), ~0u);
          expect_zeroized();
        }
        if (cut % 8 == 0) CHECK(from_context() == zeros);
        good_message(cut % 2 ? cut % 12 : 50 + cut % 22);
      }
}

// All writes of many messages in succession, without waiting for responses.
void test_back_to_back() {
  bus->b.clear();
  for (size_t length : {0, 1, 3, 4, 5, 11, 55, 56, 63, 64, 65, 119, 120, 128}) {
    bus->push_write(REG(CONTROL), START | (status() == DONE ? TAKE : 0) | SHA224);
    push_message(sample(length));
    expect_okay();
    expect_digest(224, sample(length));
  }
  bus->put(REG(CONTROL), TAKE);
  expect_errors(0);
}

// A write of DATA has its response in time, and then none of its word remains.
void test_latency() {
  Bytes message = sample(1000);
  bus->put(REG(CONTROL), START | SHA256);
  uint64_t longest = 0;
  for (size_t at = 0; at + 4 < 1000; at += 4) {
    uint64_t begun = clocks;
    bus->put(REG(DATA), word(message, at));
    if (clocks - begun > longest) longest = clocks - begun;
    CHECK(bus->top.rootp->lanesum_sha2_axil__DOT__word_q == 0);
  }
  CHECK(longest <= 80);
  bus->put(REG(LAST), LAST | 4 << 4);
  bus->put(REG(DATA), word(message, 996));
  expect_digest(256, message);
  bus->put(REG(CONTROL), TAKE);
}

#define RUN(test) (stage = #test, test)

void test_wires() {
  RUN(test_reset_values());
  RUN(test_addresses());
  RUN(test_strobes());
  RUN(test_modes());
  RUN(test_responses());
  RUN(test_refused());
  RUN(test_interrupts());
  RUN(test_contexts());
  RUN(test_back_to_back());
  if (!bus->stalls) RUN(test_status()), RUN(test_early_take()), RUN(test_latency()), RUN(test_long_stall());
  RUN(test_zeroize());
}

// ---- The driver ----

lanesum_sha2 dev;

void init() {
  CHECK(lanesum_sha2_init(&dev, (volatile void *)&bus) == LANESUM_SHA2_OK);
}

lanesum_sha2_mode mode_of(const Vector &v) { return v.mode == 224 ? LANESUM_SHA2_224 : LANESUM_SHA2_256; }

// A digest, with a guard behind it.
struct Digest {
  uint8_t bytes[33];
  Digest() { memset(bytes, 0xa5, sizeof bytes); }
  void check(const Bytes &wanted) {
    CHECK(memcmp(bytes, wanted.data(), wanted.size()) == 0);
    for (size_t i = wanted.size(); i < sizeof bytes; i++) CHECK(bytes[i] == 0xa5);
  }
};

bool forgotten() {
  const uint8_t *bytes = (const uint8_t *)&dev.message;
  for (size_t i = 0; i < sizeof dev.message; i++)
    if (bytes[i]) return false;
  return !dev.held && !dev.begun && !dev.open;
}

void test_vector(const Vector &v) {
  Digest digest;
  CHECK(lanesum_sha2_hash(&dev, mode_of(v), v.message.data(), v.message.size(), digest.bytes) == LANESUM_SHA2_OK);
  digest.check(v.digest);
  expect_no_value();  // the digest was taken
  CHECK(status() == IDLE);
  if (v.message.size() > 10000) return;

  // In random parts, with a saved context after every fourth. Another message may run in between.
  Digest parts;
  CHECK(lanesum_sha2_start(&dev, mode_of(v)) == LANESUM_SHA2_OK);
  for (size_t at = 0; at < v.message.size();) {
    size_t part = below(4) == 0 ? below(300) : below(70);
    if (part > v.message.size() - at) part = v.message.size() - at;
    CHECK(lanesum_sha2_update(&dev, v.message.data() + at, part) == LANESUM_SHA2_OK);
    at += part;
    if (below(4) == 0) {
      lanesum_sha2_context context;
      CHECK(lanesum_sha2_save(&dev, &context) == LANESUM_SHA2_OK);
      CHECK(status() == IDLE);
      expect_no_value();
      if (below(2)) {
        Digest other;
        Bytes message = sample(below(12));
        CHECK(lanesum_sha2_hash(&dev, LANESUM_SHA2_224, message.data(), message.size(), other.bytes) ==
              LANESUM_SHA2_OK);
        other.check(digest_of(224, message));
      }
      CHECK(lanesum_sha2_restore(&dev, &context) == LANESUM_SHA2_OK);
    }
  }
  CHECK(lanesum_sha2_finish(&dev, parts.bytes) == LANESUM_SHA2_OK);
  CHECK(forgotten());
  parts.check(v.digest);
}

void test_misuse() {
  Digest digest;
  lanesum_sha2_context context, bad;
  Bytes message = sample(256);
  const uint8_t *data = message.data();
  CHECK(lanesum_sha2_init(nullptr, &bus) == LANESUM_SHA2_INVALID);
  broken_id = 1u << 31;
  CHECK(lanesum_sha2_init(&dev, (volatile void *)&bus) == LANESUM_SHA2_NO_DEVICE);
  broken_id = 0;
  broken_version = 0x100;
  CHECK(lanesum_sha2_init(&dev, (volatile void *)&bus) == LANESUM_SHA2_NO_DEVICE);
  broken_version = 1;  // a compatible addition
  init();
  broken_version = 0;
  broken_busy = true;
  CHECK(lanesum_sha2_init(&dev, (volatile void *)&bus) == LANESUM_SHA2_TIMEOUT);
  broken_busy = false;
  // The state of the device before init does not matter.
  bus->put(REG(INTR_ENABLE), 31);
  bus->put(REG(CONTROL), START | SHA256);
  bus->put(REG(DATA), 5);
  CHECK(bus->write(REG(DATA), 5, 3) == OKAY);
  CHECK(bus->top.irq_o);
  bus->put(REG(CONTROL), START | SHA256);
  bus->put(REG(LAST), LAST);
  init();
  CHECK(status() == IDLE && !bus->top.irq_o && bus->get(REG(INTR_ENABLE)) == 0);

  // Null pointers and unknown modes change nothing, with and without a message.
  for (int round = 0; round < 2; round++) {
    CHECK(lanesum_sha2_start(nullptr, LANESUM_SHA2_256) == LANESUM_SHA2_INVALID);
    CHECK(lanesum_sha2_start(&dev, (lanesum_sha2_mode)2) == LANESUM_SHA2_INVALID);
    CHECK(lanesum_sha2_hash(&dev, (lanesum_sha2_mode)7, data, 1, digest.bytes) == LANESUM_SHA2_INVALID);
    CHECK(lanesum_sha2_hash(&dev, LANESUM_SHA2_256, nullptr, 1, digest.bytes) == LANESUM_SHA2_INVALID);
    CHECK(lanesum_sha2_hash(&dev, LANESUM_SHA2_256, data, 1, nullptr) == LANESUM_SHA2_INVALID);
    CHECK(lanesum_sha2_hash(nullptr, LANESUM_SHA2_256, data, 1, digest.bytes) == LANESUM_SHA2_INVALID);
    CHECK(lanesum_sha2_update(nullptr, data, 1) == LANESUM_SHA2_INVALID);
    CHECK(lanesum_sha2_update(&dev, nullptr, 1) == LANESUM_SHA2_INVALID);
    CHECK(lanesum_sha2_finish(nullptr, digest.bytes) == LANESUM_SHA2_INVALID);
    CHECK(lanesum_sha2_finish(&dev, nullptr) == LANESUM_SHA2_INVALID);
    CHECK(lanesum_sha2_save(nullptr, &context) == LANESUM_SHA2_INVALID);
    CHECK(lanesum_sha2_save(&dev, nullptr) == LANESUM_SHA2_INVALID);
    CHECK(lanesum_sha2_restore(&dev, nullptr) == LANESUM_SHA2_INVALID);
    CHECK(lanesum_sha2_zeroize(nullptr) == LANESUM_SHA2_INVALID);
    memset(&bad, 0, sizeof bad);
    CHECK(lanesum_sha2_restore(nullptr, &bad) == LANESUM_SHA2_INVALID);
    bad.mode = 2;
    CHECK(lanesum_sha2_restore(&dev, &bad) == LANESUM_SHA2_INVALID);
    bad.mode = 1;
    bad.length = (uint64_t(1) << 61) - 512;
    CHECK(lanesum_sha2_restore(&dev, &bad) == LANESUM_SHA2_INVALID);
    if (round == 0) {
      CHECK(lanesum_sha2_update(&dev, data, 1) == LANESUM_SHA2_NO_MESSAGE);
      CHECK(lanesum_sha2_finish(&dev, digest.bytes) == LANESUM_SHA2_NO_MESSAGE);
      CHECK(lanesum_sha2_save(&dev, &context) == LANESUM_SHA2_NO_MESSAGE);
      CHECK(lanesum_sha2_start(&dev, LANESUM_SHA2_256) == LANESUM_SHA2_OK);
      CHECK(lanesum_sha2_update(&dev, data, 200) == LANESUM_SHA2_OK);
      CHECK(lanesum_sha2_update(&dev, nullptr, 0) == LANESUM_SHA2_OK);
    } else {
      CHECK(lanesum_sha2_update(&dev, data + 200, 56) == LANESUM_SHA2_OK);
      CHECK(lanesum_sha2_finish(&dev, digest.bytes) == LANESUM_SHA2_OK);
      digest.check(digest_of(256, message));
      CHECK(forgotten());
      CHECK(lanesum_sha2_finish(&dev, digest.bytes) == LANESUM_SHA2_NO_MESSAGE);
    }
  }

  // The longest message: the last byte that fits, and one more.
  bad.length = (uint64_t(1) << 61) - 513 - 1;
  CHECK(lanesum_sha2_restore(&dev, &bad) == LANESUM_SHA2_OK);
  CHECK(lanesum_sha2_update(&dev, data, 2) == LANESUM_SHA2_TOO_LONG);
  CHECK(lanesum_sha2_update(&dev, data, 1) == LANESUM_SHA2_OK);
  CHECK(lanesum_sha2_update(&dev, data, 1) == LANESUM_SHA2_TOO_LONG);
  CHECK(lanesum_sha2_finish(&dev, digest.bytes) == LANESUM_SHA2_OK);

  // The device counts the blocks of a long message.
  bad.length = (uint64_t(1) << 61) - 1024;
  CHECK(lanesum_sha2_restore(&dev, &bad) == LANESUM_SHA2_OK);
  CHECK(lanesum_sha2_update(&dev, data, 128) == LANESUM_SHA2_OK);
  CHECK(lanesum_sha2_save(&dev, &context) == LANESUM_SHA2_OK);
  CHECK(context.length == bad.length + 128);

  // Start, restore and zeroize drop a message, at each of its bytes.
  for (size_t at = 0; at < 140; at += 1 + below(20))
    for (int how = 0; how < 4; how++) {
      Digest now;
      CHECK(lanesum_sha2_start(&dev, LANESUM_SHA2_224) == LANESUM_SHA2_OK);
      CHECK(lanesum_sha2_update(&dev, data, at) == LANESUM_SHA2_OK);
      switch (how) {
        case 0: CHECK(lanesum_sha2_start(&dev, LANESUM_SHA2_256) == LANESUM_SHA2_OK); break;
        case 1:
          memset(&bad, 0, sizeof bad);
          bad.mode = 1;
          CHECK(lanesum_sha2_restore(&dev, &bad) == LANESUM_SHA2_OK);
          break;
        case 2:
          CHECK(lanesum_sha2_zeroize(&dev) == LANESUM_SHA2_OK);
          CHECK(forgotten());
          // The port shows one of two words that were read, then the other; neither is one of a digest.
          for (int i = 0; i < 2; i++) {
            CHECK(bus->top.s_axil_rdata < 32 || bus->top.s_axil_rdata == 0x3248534c);
            bus->put(REG(INTR_ENABLE), 0);
          }
          expect_zeroized();
          CHECK(lanesum_sha2_finish(&dev, now.bytes) == LANESUM_SHA2_NO_MESSAGE);
          CHECK(lanesum_sha2_start(&dev, LANESUM_SHA2_256) == LANESUM_SHA2_OK);
          break;
        default:
          // Save drops it from the device and the structure.
          CHECK(lanesum_sha2_save(&dev, &context) == LANESUM_SHA2_OK);
          CHECK(forgotten());
          CHECK(lanesum_sha2_start(&dev, LANESUM_SHA2_256) == LANESUM_SHA2_OK);
      }
      CHECK(lanesum_sha2_update(&dev, data, 256) == LANESUM_SHA2_OK);
      CHECK(lanesum_sha2_finish(&dev, now.bytes) == LANESUM_SHA2_OK);
      now.check(digest_of(256, message));
    }

  // A device that is reset at any access: the right digest, or an error, but never a wrong digest; then it works.
  for (int saves = 0; saves < 2; saves++)
    for (unsigned access = 0; access < 200; access++) {
      Digest now;
      reset_after = access;
      lanesum_sha2_status status = lanesum_sha2_start(&dev, LANESUM_SHA2_256);
      if (!status) status = lanesum_sha2_update(&dev, data, 130);
      if (!status && saves) {
        status = lanesum_sha2_save(&dev, &context);
        if (!status) status = lanesum_sha2_restore(&dev, &context);
      }
      if (!status) status = lanesum_sha2_update(&dev, data + 130, 126);
      if (!status) status = lanesum_sha2_finish(&dev, now.bytes);
      CHECK(status == LANESUM_SHA2_OK || status == LANESUM_SHA2_FAILED);
      if (status == LANESUM_SHA2_OK)
        now.check(digest_of(256, message));
      else
        CHECK(forgotten());
      reset_after = ~0u;
      Digest next;
      CHECK(lanesum_sha2_hash(&dev, LANESUM_SHA2_256, data, 256, next.bytes) == LANESUM_SHA2_OK);
      next.check(digest_of(256, message));
    }

  // A device with an error that another program caused, in the message or before it.
  CHECK(lanesum_sha2_start(&dev, LANESUM_SHA2_256) == LANESUM_SHA2_OK);
  CHECK(lanesum_sha2_update(&dev, data, 64) == LANESUM_SHA2_OK);
  bus->put(REG(CONTROL), START | SHA256);
  CHECK(lanesum_sha2_finish(&dev, digest.bytes) == LANESUM_SHA2_FAILED);
  CHECK(forgotten());
  bus->put(REG(DATA), 0);
  CHECK(lanesum_sha2_hash(&dev, LANESUM_SHA2_256, data, 64, digest.bytes) == LANESUM_SHA2_FAILED);
  CHECK(lanesum_sha2_hash(&dev, LANESUM_SHA2_256, data, 256, digest.bytes) == LANESUM_SHA2_OK);

  // A device that never becomes ready, and one that counts wrongly.
  CHECK(lanesum_sha2_start(&dev, LANESUM_SHA2_256) == LANESUM_SHA2_OK);
  broken_busy = true;
  CHECK(lanesum_sha2_finish(&dev, digest.bytes) == LANESUM_SHA2_TIMEOUT);
  CHECK(forgotten());
  broken_busy = false;
  init();
  CHECK(lanesum_sha2_start(&dev, LANESUM_SHA2_256) == LANESUM_SHA2_OK);
  CHECK(lanesum_sha2_update(&dev, data, 64) == LANESUM_SHA2_OK);
  broken_blocks = 1;
  CHECK(lanesum_sha2_save(&dev, &context) == LANESUM_SHA2_FAILED);
  CHECK(forgotten());
  broken_blocks = 0;
  expect_zeroized();
}

}  // namespace

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
  std::string path = Verilated::commandArgsPlusMatch("vectors=");
  load(path.empty() ? "vectors.txt" : path.substr(strlen("+vectors=")));
  bus = std::make_unique<Bus>();
  for (bool stalls : {false, true}) {
    bus->stalls = stalls;
    test_wires();
    init();
    RUN(test_misuse());
    for (const Vector &v : vectors)
      if (!stalls || v.message.size() < 400) RUN(test_vector(v));
  }
  bus->top.final();
  bus.reset();  // before the destructors of the simulator
  printf("lanesum_sha2_axil: pass: %zu messages, %llu clocks, all values are right\n", vectors.size(),
         (unsigned long long)clocks);
}
