use crate::bed::*;

pub const A: &str = "Sure, here is the call:\n```json\n{'path': 'src/main.rs', 'lines': 12,\n 'score': NaN, 'body': \"fn main() {\n  run();";
pub const B: &str = "{\"items\": [\n  {\"id\": 1},\n  ...\n  {\"id\": 9}\n]}";
pub const D: &str = "{'path': 'src/main.rs', lines: 012,\n 'score': NaN, 'title': 'Ñandú 日本語',\n 'body': \"fn main() {\n  run();\n}\0\t\",}";
pub const F: &str = "{\"path\":\"a\"}{\"path\":\"b\"}";

#[test]
fn print() {
    let mut one = call(388, "write_file", A);
    one.stop_reason = Some("max_tokens".into());
    let bed = Bed::new(80, 24).fail(one).press("esc f enter");
    println!("{}", bed.screen());
    println!("{}", Bed::on(B, 80, 24).screen());
    let bed = Bed::new(120, 40)
        .fail(call(436, "write_file", D))
        .press("esc f enter");
    println!("{}", bed.screen());
    println!("{}", bed.press("t").resize(80, 24).screen());
    let bed = Bed::new(80, 24)
        .fail(call(88, "read_file", F))
        .press("esc f enter c");
    println!("{}", bed.screen());
}
