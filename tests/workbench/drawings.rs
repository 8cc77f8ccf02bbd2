use crate::bed::*;

pub const A: &str = "Sure, here is the call:\n```json\n{'path': 'src/main.rs', 'lines': 12,\n 'score': NaN, 'body': \"fn main() {\n  run();";
pub const B: &str = "{\"items\": [\n  {\"id\": 1},\n  ...\n  {\"id\": 9}\n]}";
pub const D: &str = "{'path': 'src/main.rs', lines: 012,\n 'score': NaN, 'title': 'Ñandú 日本語',\n 'body': \"fn main() {\n  run();\n}\0\t\",}";
pub const F: &str = "{\"path\":\"a\"}{\"path\":\"b\"}";

#[test]
fn print() {
    let bed = Bed::new(120, 40)
        .fail(call(436, "write_file", D))
        .press("esc f enter [");
    println!("{}", bed.screen());
    let bed = bed.press("M a space").resize(40, 10);
    println!("{}", bed.screen());
    let bed = bed.press("1");
    println!("{}", bed.screen());
    let bed = bed.press("3").resize(200, 60);
    println!("{}", bed.screen());
    let bed = bed.press("f").resize(80, 24);
    println!("{}", bed.screen());
    let bed = bed.press("?");
    println!("{}", bed.screen());
    let bed = bed.press("esc : \"feed");
    println!("{}", bed.screen());
    let bed = Bed::on(D, 80, 24).press("Y");
    println!("{}", bed.screen());
    let bed = bed.press("esc v");
    println!("{}", bed.screen());
    let bed = bed.press("M a v");
    println!("{}", bed.screen());
    let bed = bed.press("s");
    println!("{}", bed.screen());
}
