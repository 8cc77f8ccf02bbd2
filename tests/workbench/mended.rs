//! Where people who saw the program for the first time lost something or were told something wrong.

use jsonmedic::app::Event;

use crate::bed::Bed;
use crate::texts::GUESS;

#[test]
fn one_undo_brings_back_what_bursts_of_keys_replaced() {
    let mut bed = Bed::on(GUESS, 80, 24).press("x < M a");
    let (marks, output) = (bed.marks(), bed.output().to_owned());
    let rung = bed.app.bench.ladder.at;
    bed.send(Event::Burst("jjaaxxjj".into()));
    bed.send(Event::Burst("kkaaxxkk".into()));
    assert_eq!(bed.app.bench.doc.source.as_str(), "jjaaxxjjkkaaxxkk");
    assert!(bed.status().contains("`u` brings the text before back"));
    let bed = bed.press("u");
    assert_eq!(bed.app.bench.doc.source.as_str(), GUESS);
    assert_eq!((bed.marks(), bed.output()), (marks, output.as_str()));
    assert_eq!(
        (bed.app.bench.ladder.at, bed.app.bench.guesses),
        (rung, true)
    );
    // A later one is another paste.
    let mut bed = bed.press("ctrl-r").wait(2_000);
    bed.send(Event::Burst("{'a': 12}".into()));
    assert_eq!(
        bed.press("u").app.bench.doc.source.as_str(),
        "jjaaxxjjkkaaxxkk"
    );
}
