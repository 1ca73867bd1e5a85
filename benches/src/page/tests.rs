use std::path::Path;

use super::*;

fn record(least: f64) -> Result<Record> {
    let text = format!(
        "# machine: AMD EPYC, family 26 model 2, 2 logical CPUs\n\
         tier,algorithm,kernel,blocks,cycles_per_byte_min,cycles_per_byte_median\n\
         sha_ni,sha1,openssl,16384,{least},1.9\n"
    );
    let counted = "algorithm,kernel,instructions_per_block\nsha1,openssl,970\n";
    let counted = Table::parse(Path::new("here/2026-11-22-instructions.csv"), counted);
    Record::new(Table::parse(Path::new("here/2026-11-22-tiers.csv"), &text), &[counted])
}

#[test]
fn a_figure_below_what_no_core_can_go_below_is_an_error() {
    assert!(record(1.90).is_ok());
    let error = record(1.807).err().unwrap().to_string();
    assert!(error.contains("sha1 of openssl by sha_ni is 1.807, below its bound 1.875"), "{error}");
    assert!(error.contains("20 sha1rnds4 x 6"), "{error}");
    assert!(error.contains("-latencies.csv"), "{error}");
    // 970 instructions, eight per cycle, need 1.89 cycles per byte.
    let error = record(1.87).err().unwrap().to_string();
    assert!(
        error.contains("is 1.87, below its bound 1.89") && error.contains("970 instructions, 8"),
        "{error}"
    );
}

#[test]
fn figures_show_their_spread_where_the_record_has_it() {
    let figures = Figures { least: 1.5, median: 1.6, quartiles: Some([1.55, 1.65]) };
    assert_eq!(figures.shown(3), "1.500 / 1.600 ± 0.050");
    assert_eq!(Figures { quartiles: None, ..figures }.shown(2), "1.50 / 1.60");
}

/// Every record of this tree is usable for a page, and each kind and machine has one record.
#[test]
fn every_record_that_is_kept_may_be_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("record");
    let reader = Reader::new(&folder, cores::known().clone());
    assert_eq!(reader.refused().unwrap(), []);
}

#[test]
fn no_figure_of_a_kept_record_is_below_its_bound() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("record");
    let sources = Fingerprints::of(Path::new(machine::CRATES)).unwrap();
    read(&Reader::new(&folder, cores::known().clone()).of_sources(sources)).unwrap();
}

/// A directory with a record of a tree, whose head states these sources.
fn planted(name: &str, sources: &Fingerprints) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("lanesum-{name}-{}", std::process::id()));
    fs::create_dir_all(folder.join("m-x2")).unwrap();
    let text = format!(
        "# sources: {sources}\njob,algorithm,cache,peer,wall_s_median\n\
         tree-small,sha256,warm,lanesum,0.54\ntree-small,sha256,warm,rhash,2.09\n"
    );
    fs::write(folder.join("m-x2/2026-11-22-jobs.csv"), text).unwrap();
    folder
}

#[test]
fn the_front_page_drops_a_record_once_code_that_it_depends_on_changes() {
    let now = Fingerprints::of(Path::new(machine::CRATES)).unwrap();
    let folder = planted("front", &now);
    let text = "<!-- figures: speed -->\n<!-- end of figures -->";
    let page = |now: Fingerprints| {
        let reader = Reader::new(&folder, cores::known().clone()).of_sources(now);
        prose::page(text, &["speed"], &reader).unwrap()
    };
    let front = page(now.clone());
    assert!(front.contains("| `lanesum sum -r` | 0.54 |"), "{front}");
    assert!(front.contains("m-x2 was measured on 2026-11-22.\n<!-- end of figures -->"), "{front}");
    // The command hashes through the part `choose` of the engine; another part changes nothing.
    let text_of_now = now.to_string();
    let changed = |part: &str| {
        let [before, after] = text_of_now.split(&format!("{part} ")).collect::<Vec<_>>()[..] else {
            panic!("no part {part}")
        };
        let other = if after.starts_with('0') { '1' } else { '0' };
        page(Fingerprints::parse(&format!("{before}{part} {other}{}", &after[1..])))
    };
    assert_eq!(changed("python"), front);
    assert!(changed("choose").contains(NOT_MEASURED));
    fs::remove_dir_all(folder).unwrap();
}
