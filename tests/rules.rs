//! Every rule's own example: the rule makes the correction that its row promises, and nothing less sure is needed.

use std::sync::Arc;

use jsonmedic::repair::rule::Needs;
use jsonmedic::repair::{
    Level, RULES, RuleSet, Schema, ToolContext, Verdict, repair_with, strategy,
};

#[test]
fn each_example_is_corrected_by_its_rule() {
    for row in RULES.iter().filter(|row| !row.example.1.is_empty()) {
        let tool = match row.needs {
            Needs::Nothing => ToolContext::default(),
            Needs::Tool(name) => ToolContext::named(name),
            Needs::Schema(text) => ToolContext {
                schema: Some(Arc::new(Schema::new(
                    serde_json::from_str(text).expect("a schema"),
                ))),
                ..ToolContext::default()
            },
        };
        let (source, output) = row.example;
        let rules = RuleSet::up_to(row.level).with(row.rule);
        let repair = repair_with(source, strategy::widest(Level::Guess), rules, &tool);
        assert_eq!(repair.verdict, Verdict::Valid, "{}", row.id);
        assert_eq!(repair.edits.apply(source, |_| true), output, "{}", row.id);
        assert!(repair.used().has(row.rule), "{}", row.id);
        assert_eq!(repair.worst(), Some(row.level), "{}", row.id);
    }
}

#[test]
fn without_its_rule_an_example_is_not_corrected_so() {
    for row in RULES
        .iter()
        .filter(|row| !row.example.1.is_empty() && row.needs == Needs::Nothing)
    {
        let (source, _) = row.example;
        let rules = RuleSet::up_to(Level::Guess).without(row.rule);
        let repair = repair_with(
            source,
            strategy::widest(Level::Guess),
            rules,
            &ToolContext::default(),
        );
        assert!(!repair.used().has(row.rule), "{}", row.id);
    }
}
