//! Others' cores with verdicts on their figures, and prior art for the forms of our cores.

use std::fmt::Write;

use super::PageError;
use super::records::TargetRecord;
use lanesum_rtl::Technology;

/// A core of others, as its source describes it.
pub(super) struct OthersFigures {
    core: &'static str,
    technology: &'static str,
    area: &'static str,
    /// Bits of a block.
    bits: f64,
    mhz: Option<f64>,
    /// Clock cycles from a block to the next.
    clocks: Option<f64>,
    mbps: Option<f64>,
}

impl OthersFigures {
    /// A row of a table: core, technology, area, MHz, clocks per block, Mbps, and what these imply.
    pub(super) fn row(&self) -> String {
        let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |v| v.to_string());
        format!(
            "| {} | {} | {} | {} | {} | {} | {} |\n",
            self.core,
            self.technology,
            self.area,
            number(self.mhz),
            number(self.clocks),
            number(self.mbps),
            self.verdict(),
        )
    }

    /// Whether the figures are consistent, or what they imply.
    fn verdict(&self) -> String {
        match (self.mhz, self.clocks, self.mbps) {
            (Some(mhz), Some(clocks), Some(mbps)) => {
                let implied = self.bits * mhz / clocks;
                let off = 100.0 * (implied / mbps - 1.0);
                if off.abs() <= 1.0 {
                    "consistent".to_owned()
                } else if off.abs() <= 5.0 {
                    format!("within 5 %: {implied:.0}")
                } else {
                    format!("**not consistent**: {implied:.0} ({off:+.0} %)")
                }
            }
            (Some(mhz), Some(clocks), None) => {
                format!("{:.0} Mbps implied", self.bits * mhz / clocks)
            }
            (Some(mhz), None, Some(mbps)) => {
                format!("{:.1} clocks implied", self.bits * mhz / mbps)
            }
            (None, Some(clocks), Some(mbps)) => {
                format!("{:.0} MHz implied", mbps * clocks / self.bits)
            }
            (Some(mhz), None, None) => {
                format!("at most {:.0} Mbps with a round per clock", self.bits * mhz / 64.0)
            }
            _ => "not checkable".to_owned(),
        }
    }
}

const fn sha1(
    core: &'static str,
    technology: &'static str,
    area: &'static str,
    [mhz, clocks, mbps]: [f64; 3],
) -> OthersFigures {
    let (mhz, clocks, mbps) = (Some(mhz), Some(clocks), Some(mbps));
    OthersFigures { core, technology, area, bits: 512.0, mhz, clocks, mbps }
}

/// The paper's Table 4: others' cores. Those with four stages have four blocks in 84 and 40 clocks.
#[rustfmt::skip]
pub(super) const OTHERS: [OthersFigures; 5] = [
    sha1("Sklavos et al. 2003", "Xilinx V100E, 4 stages", "1,578 CLBs", [72.0, 84.0 / 4.0, 1700.0]),
    sha1("Michail et al. 2005", "Xilinx V150, 4 stages", "", [55.0, 40.0 / 4.0, 2816.0]),
    sha1("Ming-yan et al. 2004", "0.25 um", "20,536 gates", [143.0, 82.0, 893.0]),
    sha1("Ganesh and Sudarshan 2005", "0.18 um", "70,170 gates (with MD5 and RIPEMD-160)", [116.0, 80.0, 824.9]),
    sha1("Satoh and Inoue 2005", "0.13 um", "9,859 gates", [333.3, 85.0, 2006.0]),
];

/// Suhaili and Julai's core with four rounds per clock: 64/4 clocks, and the two more that their core with
/// two rounds per clock has, whose block takes 34.
const UNFOLDED: OthersFigures = OthersFigures {
    core: "Suhaili and Julai 2022, SHA-256, 4 rounds per clock",
    technology: "Altera, DE2-115",
    area: "",
    bits: 512.0,
    mhz: None,
    clocks: Some(64.0 / 4.0 + 2.0),
    mbps: Some(4196.3),
};

const CLAIMS: [OthersFigures; 5] = [
    UNFOLDED,
    OthersFigures {
        core: "Franck et al. 2024, SHA-256",
        technology: "SKY130, after layout",
        area: "104,585 µm²",
        mhz: Some(97.9),
        clocks: None,
        mbps: None,
        ..UNFOLDED
    },
    OthersFigures {
        core: "Vitis libraries 2023.2, SHA-512",
        technology: "Xilinx, from C++",
        area: "8,318 LUT, 15,497 FF",
        bits: 1024.0,
        mhz: Some(323.31),
        clocks: Some(84.0),
        mbps: None,
    },
    OthersFigures {
        core: "Tran et al. 2021, SHA-256",
        technology: "0.18 um",
        area: "8.5 mm × 8.5 mm",
        mhz: Some(80.0),
        clocks: None,
        mbps: Some(40_960.0),
        ..UNFOLDED
    },
    OthersFigures {
        core: "Järvinen 2004, SHA-1",
        technology: "XC2V2000",
        area: "1,275 slices",
        mhz: Some(117.6),
        clocks: None,
        mbps: Some(734.0),
        ..UNFOLDED
    },
];

/// The area of sky130_fd_sc_hd__nand2_1, in µm².
const SKY130_NAND2: f64 = 3.7536;

/// The later cores of others with verdicts, and the prior art.
pub(super) fn claims(sky130: Option<&TargetRecord>) -> Result<String, PageError> {
    let mut out = "\n### Later cores\n\n\
         Figures are from the abstracts and the documentation of these cores.\n\n\
         | core | technology | area | MHz | clocks per block | Mbps | verdict |\n|---|---|---:|---:|---:|---:|---|\n"
        .to_owned();
    out.extend(CLAIMS.iter().map(OthersFigures::row));
    out += &unfolded(&Technology::named("ecp5")?);
    if let Some(row) = sky130.and_then(|record| record.find("sha256_u1_chain"))
        && let Some((area, ns)) = row.get("area").zip(row.get("ns_best"))
    {
        let _ = writeln!(
            out,
            "\n*Franck et al.* have {:.0} GE (NAND2 equivalents) with an interface of 32 bits, and their clock is\n\
             after layout. Our `sha256_u1_chain` has {area:.0} GE and {:.0} MHz in these cells, [before\n\
             layout](#what-figures-before-layout-leave-out) and without such an interface.",
            104_585.0 / SKY130_NAND2,
            1000.0 / ns,
        );
    }
    out += RELATED;
    Ok(out)
}

/// The verdict on four rounds of SHA-256 per clock.
fn unfolded(ecp5: &Technology) -> String {
    let (clocks, mbps) = (UNFOLDED.clocks.unwrap_or(1.0), UNFOLDED.mbps.unwrap_or(1.0));
    let block = 1000.0 * UNFOLDED.bits / mbps;
    let (period, additions) = (block / clocks, 4.0 * ecp5.add);
    let verdict = if period < additions { "not plausible for one message" } else { "plausible" };
    // How many times the frequency of the core with one round per clock, in 64 clocks, the one with two has, in 34.
    let frequency = |throughput: f64| throughput * 34.0 / 64.0;
    format!(
        "\n*Suhaili and Julai*: **{verdict}**. At {mbps:.0} Mbps a block takes {block:.0} ns, and each of {clocks:.0} clocks, with four\n\
         rounds, {period:.1} ns. Each round of a message adds to the sum of the round before, and four additions of 32 bits\n\
         without any other gate take {additions:.1} ns in an ECP5, a later FPGA. With a pipeline, several messages at a time can\n\
         have this throughput. The abstract's comparisons are ambiguous, too. The core with two rounds per clock (34\n\
         clocks, not 64) is said to have a higher frequency than the one with one round, thus more than {:.2} times the\n\
         throughput. With 13.7 % and 58.1 % over the other cores' throughputs its frequency would be {:.2} times that of\n\
         one round; with percentages of the largest throughput, {:.2} times.\n",
        64.0 / 34.0,
        frequency(1.581 / 1.137),
        frequency((1.0 - 0.137) / (1.0 - 0.581)),
    )
}

const RELATED: &str = "\n## Related work\n\n\
     Our retimed and carry-save cores are not the first:\n\n\
     * Lee, Chan and Verbauwhede, \"Iteration Bound Analysis and Throughput Optimum Architecture of SHA-256 (384,512) for\n\
     \x20 Hardware Implementations\" (2007): the iteration bound of SHA-2, and a retiming that reaches it. Their \"Design\n\
     \x20 Methodology for Throughput Optimum Architectures of Hash Algorithms of the MD4-class\" does the same for SHA-1, MD5\n\
     \x20 and RIPEMD-160, with SHA-1 in 0.18 µm.\n\
     * Chaves, Kuzmanov, Sousa and Vassiliadis, \"Improving SHA-2 Hardware Implementations\" (CHES 2006, LNCS 4249): operations\n\
     \x20 of a round computed a clock earlier, with carry-save adders. \"Rescheduling for Optimized SHA-1 Calculation\" (2006) is\n\
     \x20 the same for SHA-1: 1.4 Gbit/s in 533 slices of a Virtex-II Pro.\n\
     * Dadda, Macchetti and Owen, \"The Design of a High Speed ASIC Unit for the Hash Function SHA-256 (384, 512)\" (DATE 2004,\n\
     \x20 pp. 70–76): carry-save adders in the round and the schedule, in 0.13 µm.\n\
     * McEvoy, Crowe, Murphy and Marnane, \"Optimisation of the SHA-2 Family of Hash Functions on FPGAs\" (ISVLSI 2006,\n\
     \x20 pp. 317–322): pipelining and two rounds per clock.\n\
     * Michail, Kakarountas, Milidonis and Goutis, \"A Top-Down Design Methodology for Ultrahigh-Performance Hashing Cores\"\n\
     \x20 (IEEE TDSC 6(4), 2009, pp. 255–268): five techniques combined, unfolding and pipelining among them.\n\
     * Grinchuk, Bolotov, Ivanovic, Zolotykh and Galatenko, US 2010/0086127: one clock computes with values of several rounds\n\
     \x20 (\"diagonal cut\").\n\
     * Järvinen, \"Design and Implementation of a SHA-1 Hash Module on FPGAs\" (2004).\n\
     * Suhaili and Julai, \"FPGA-based Implementation of SHA-256 with Improvement of Throughput using Unfolding\n\
     \x20 Transformation\" (Pertanika JST 30(1), 2022, doi:10.47836/pjst.30.1.32).\n\
     * Tran, Pham and Nakashima, \"A High-Performance Multimem SHA-256 Accelerator for Society 5.0\" (IEEE Access 9, 2021).\n\
     * Franck, Ginja, Carmo, Afonso and Luppe, \"Custom ASIC Design for SHA-256 Using Open-Source Tools\" (Computers 13(1),\n\
     \x20 2024, doi:10.3390/computers13010009).\n\
     * AMD, Vitis Libraries 2023.2, security: SHA-384, SHA-512, SHA-512/224 and SHA-512/256.\n\n\
     We know the works of Chaves et al. on SHA-2, Dadda et al. and McEvoy et al. only from works that cite them. We\n\
     found no earlier description of the split of a rotation [below](#a-word-in-carry-save-form), in the texts that we could read.\n";

#[cfg(test)]
mod tests {
    use super::{OTHERS, UNFOLDED, sha1, unfolded};
    use lanesum_rtl::Technology;

    #[test]
    fn figures_that_contradict_each_other_are_named() {
        let claimed = |figures| sha1("", "", "", figures).row();
        assert!(claimed([100.0, 64.0, 800.0]).ends_with("| consistent |\n"));
        assert!(claimed([100.0, 64.0, 780.0]).ends_with("| within 5 %: 800 |\n"));
        assert!(claimed([100.0, 64.0, 1000.0]).ends_with("| **not consistent**: 800 (-20 %) |\n"));
        assert!(OTHERS[3].row().contains("not consistent"), "{}", OTHERS[3].row());
        assert!(UNFOLDED.row().ends_with("| 148 MHz implied |\n"), "{}", UNFOLDED.row());
    }

    /// Four additions that fit in the clock period would make the claim plausible.
    #[test]
    fn a_clock_shorter_than_its_additions_is_not_plausible() {
        let mut technology = Technology::named("ecp5").unwrap();
        assert!(unfolded(&technology).contains("**not plausible for one message**"));
        technology.add = 1.6;
        assert!(unfolded(&technology).contains("**plausible**"));
    }
}
