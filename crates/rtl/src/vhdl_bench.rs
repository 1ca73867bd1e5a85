//! The VHDL testbench, equivalent to the SystemVerilog one.

use crate::Core;
use crate::bench::resets;
use crate::text::top;

/// The testbench; it reads `vectors.hex` from the working directory of the simulation.
pub(crate) fn vhdl(core: &Core, count: usize) -> String {
    let family = core.options.algorithm.family();
    let block = 16 * family.word_bits();
    let state = family.state_words() as u32 * family.word_bits();
    let pipeline = core.options.stages > 1;
    let chain = core.options.chain;
    let mut ports = String::new();
    if core.buffer > 0 {
        ports += "state_ready_i => state_ready, ";
    }
    if pipeline {
        ports += "id_i => id_in, id_o => id, ";
    }
    if chain {
        ports += "last_i => is_last, ";
    }
    let [signals, drive_id, check_id] = if pipeline { ID } else { [""; 3] };
    // Back-to-back blocks: each is offered, and its result accepted, without delay.
    let interval = if pipeline {
        String::new()
    } else {
        let due = if chain {
            format!("gap = {} or (not open_message and gap = {})", core.interval, core.latency + 1)
        } else {
            format!("gap = {}", core.interval)
        };
        INTERVAL.replace("@GAP@", &due)
    };
    let (resets, step) = resets(core);
    let [last_signal, drive, due, dropped, variables, count_up] =
        if chain { CHAIN } else { NO_CHAIN };
    let ready = if core.buffer > 0 {
        "'1' when draw(4) >= stalls and not stalled else '0';"
    } else {
        "'1'; -- no value of this core waits"
    };
    TEMPLATE
        .replace("@SIGNALS@", &format!("{signals}{last_signal}"))
        .replace("@DRIVE@", &format!("{drive_id}{drive}"))
        .replace("@DUE@", due)
        .replace("@DROPPED@", dropped)
        .replace("@VARIABLES@", variables)
        .replace("@ID@", check_id)
        .replace("@INTERVAL@", &interval)
        .replace("@COUNT_UP@", count_up)
        .replace("@READY@", ready)
        .replace("@PORTS@", &ports)
        .replace("@COUNT@", &count.to_string())
        .replace("@STATE@", &state.to_string())
        .replace("@BLOCK@", &block.to_string())
        .replace("@RESETS@", &resets.to_string())
        .replace("@STEP@", &step.to_string())
        .replace("@TOP@", &top(core))
}

/// Template fragments for pipelines only: signals, stimulus, checks.
const ID: [&str; 3] = [
    "  signal id_in : std_logic_vector(7 downto 0) := x\"00\";
  signal id : std_logic_vector(7 downto 0);
",
    "        id_in <= std_logic_vector(to_unsigned(sent mod 256, 8));\n",
    "          check(id = std_logic_vector(to_unsigned(received mod 256, 8)), \"a wrong id\");\n",
];

const INTERVAL: &str = "        if took and linked and stalls = 0 then
          check(@GAP@, \"a block too soon or too late after another\");
        end if;
";

/// Template fragments that differ for cores without chaining: signals, stimulus, the index of the
/// expected result, the effect of a reset, variables, and the update of the counters.
const NO_CHAIN: [&str; 6] = [
    "",
    "        state_in <= VECTORS(sent mod COUNT)(STATE - 1 downto 0);\n",
    "received",
    "",
    "",
    "        sent := sent + 1 when took else sent;
        received := received + 1 when gave else received;
",
];

/// Template fragments for cores with chaining. A message continues until its digest or a reset; with
/// stalls, the testbench ends some messages early and begins another with the same chaining value.
const CHAIN: [&str; 6] = [
    "  signal is_last : std_logic := '0';\n",
    "        is_last <= '1';
        if sent + 1 < COUNT and (stalls = 0 or sent mod 8 /= 5) then
          if VECTORS(sent)(2 * STATE + BLOCK_BITS - 1 downto STATE + BLOCK_BITS)
             = VECTORS(sent + 1)(STATE - 1 downto 0) then
            is_last <= '0';
          end if;
        end if;
        state_in <= VECTORS(sent mod COUNT)(STATE - 1 downto 0);
        if open_message then
          state_in <= not VECTORS(sent mod COUNT)(STATE - 1 downto 0);
        end if;
",
    "sent - 1",
    "          open_message := false;
",
    "    variable open_message : boolean := false;  -- the next block continues a message
",
    "        check(gave or received = sent or not took or open_message, \"a value was lost\");
        received := sent when gave else received;
        sent := sent + 1 when took else sent;
        open_message := is_last = '0' when took else open_message;
",
];

const TEMPLATE: &str = "\
-- Sends the blocks of vectors.hex, which is read where this runs, through @TOP@ and
-- checks every value, with stalls of both sides: none, a few, many. The core is reset
-- in every clock of a block and after it, later at any time, with and without a clock's
-- edge, and by zeroize_i; what it had not given is sent again. One value waits for 10,000
-- clocks.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use ieee.math_real.all;
use std.textio.all;
use std.env.all;

entity @TOP@_tb is
end entity @TOP@_tb;

architecture test of @TOP@_tb is
  constant COUNT : positive := @COUNT@;
  constant STATE : positive := @STATE@;
  constant BLOCK_BITS : positive := @BLOCK@;
  constant RESETS : positive := @RESETS@;
  constant STEP : positive := @STEP@;
  subtype vector is std_logic_vector(2 * STATE + BLOCK_BITS - 1 downto 0);
  type vectors_t is array (0 to COUNT - 1) of vector;
  impure function from_file return vectors_t is
    file source : text;
    variable status : file_open_status;
    variable l : line;
    variable found : vectors_t;
    variable good : boolean;
  begin
    file_open(status, source, \"vectors.hex\", read_mode);
    for i in found'range loop
      good := status = open_ok;
      if good then
        good := not endfile(source);
      end if;
      if good then
        readline(source, l);
        hread(l, found(i), good);
      end if;
      assert good
        report \"@TOP@: vectors.hex is missing or short; run this in tb/\" severity failure;
    end loop;
    return found;
  end function;
  constant VECTORS : vectors_t := from_file;
  signal clk, rst_n, zeroize, block_valid, state_ready : std_logic := '0';
  signal block_ready, state_valid : std_logic;
  signal value : std_logic_vector(STATE - 1 downto 0);
  signal state_in : std_logic_vector(STATE - 1 downto 0) := (others => '0');
  signal now_vector : vector := VECTORS(0);
@SIGNALS@begin
  dut : entity work.@TOP@
    port map (
      clk_i => clk, rst_ni => rst_n, zeroize_i => zeroize, @PORTS@
      block_valid_i => block_valid, block_ready_o => block_ready,
      block_i => now_vector(STATE + BLOCK_BITS - 1 downto STATE),
      state_i => state_in,
      state_valid_o => state_valid, state_o => value);

  -- Inputs change while the clock is low, and outputs are looked at before it rises.
  process
    variable seed1, seed2 : positive := 1;
    variable sent, received, clocks, hits : natural := 0;
    variable since : natural := 0;  -- clocks since the first block after the reset
    variable gap : natural := 0;    -- clocks since a block was taken
    variable linked : boolean := false;  -- one was, since the reset
    variable is_kept : boolean := false;
    variable kept : std_logic_vector(STATE - 1 downto 0);
    variable pause : natural := 0;  -- clocks of the long stall
    variable hit, up, took, gave, stalled, wipe : boolean;
@VARIABLES@    impure function draw(n : positive) return natural is
      variable x : real;
    begin
      uniform(seed1, seed2, x);
      return natural(floor(x * real(n)));
    end function;
    procedure check(right : boolean; wrong : string) is
    begin
      if not right then
        report \"@TOP@: \" & wrong & \" (\" & to_string(sent) & \" blocks sent, \"
               & to_string(received) & \" given, clock \" & to_string(clocks) & \")\"
          severity failure;
      end if;
    end procedure;
  begin
    for stalls in 0 to 2 loop
      sent := 0;
      received := 0;
      hits := 0;
      linked := false;
      while received < COUNT loop
        wait for 1 ns;
        -- So many clocks after a block was taken; with stalls at any time.
        stalled := stalls = 2 and received >= COUNT / 2 and pause < 10000;
        pause := pause + 1 when stalled else pause;
        hit := hits < RESETS and clocks >= 3 and not stalled;
        if stalls = 0 then
          hit := hit and linked and since >= hits / 4 * STEP;
        else
          hit := hit and draw(RESETS * STEP / 4) = 0;
        end if;
        wipe := hit and hits mod 4 = 3;
        zeroize <= '1' when wipe else '0';
        hits := hits + 1 when wipe else hits;
        up := clocks >= 3 and (not hit or wipe);
        rst_n <= '1' when up else '0';
        if not up then
          sent := received;
          is_kept := false;
          linked := false;
@DROPPED@          wait for 1 ns;
          check(state_valid = '0', \"a value in reset\");
          if hit then
            hits := hits + 1;
            -- Every other pulse is over before the clock's edge.
            up := hits mod 2 = 1;
            rst_n <= '1' when up else '0';
          end if;
        end if;
        now_vector <= VECTORS(sent mod COUNT);
        block_valid <= '1' when up and sent < COUNT and draw(4) >= stalls
                       and not (hit and hits mod 4 = 1) else '0';
        state_ready <= @READY@
@DRIVE@        wait for 4 ns;
        took := up and block_valid = '1' and block_ready = '1';
        gave := up and state_valid = '1' and state_ready = '1';
        if up then
          check(not is_x(block_ready) and not is_x(state_valid), \"not known after reset\");
        else
          check(state_valid = '0', \"a value in reset\");
        end if;
        if up and state_valid = '0' then
          check(value = (value'range => '0'), \"a word without a value\");
        end if;
        if is_kept then
          check(state_valid = '1' and value = kept, \"a value was not held\");
        end if;
        if up and state_valid = '1' then
          check(received < sent, \"a value without a block\");
          check(value = VECTORS(@DUE@)(2 * STATE + BLOCK_BITS - 1 downto STATE + BLOCK_BITS),
                \"a wrong value\");
@ID@        end if;
@INTERVAL@        is_kept := up and state_valid = '1' and state_ready = '0' and not wipe;
        kept := value;
        clk <= '1';
        wait for 5 ns;
        clk <= '0';
        clocks := clocks + 1;
        since := since + 1;
        gap := 1 when took else gap + 1;
@COUNT_UP@        if took and not linked then
          linked := true;
          since := 0;
        end if;
        if wipe then
          sent := received;
          linked := false;
@DROPPED@        end if;
        check(clocks <= 1000000, \"no progress\");
      end loop;
      check(hits = RESETS or stalls > 0, \"not reset in every clock of a block\");
      check(hits > 0, \"not reset in the middle of a block\");
    end loop;
    report \"@TOP@: all values are right, \" & to_string(COUNT) & \" blocks three times, \"
           & to_string(clocks) & \" clocks\" severity note;
    finish;
  end process;
end architecture test;
";
