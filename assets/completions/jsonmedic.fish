# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_jsonmedic_global_optspecs
    string join \n tool= field= tools= allow= print-config h/help V/version
end

function __fish_jsonmedic_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_jsonmedic_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_jsonmedic_using_subcommand
    set -l cmd (__fish_jsonmedic_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -l tool -d 'The tool that the arguments belong to' -r
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -l field -d 'The field that a plain string goes to' -r
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -l tools -d 'Tool definitions (OpenAI, Anthropic, MCP tools/list or Gemini shape): the tool\'s JSON Schema guides the repair and checks the result' -r -F
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -l allow -d 'Accept edits up to this level without asking; by default lossy edits wait for a decision and guesses are off' -r -f -a "safe\t''
lossy\t''
guess\t''"
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -l print-config -d 'Print the configuration in force as TOML, with every setting and key, and end'
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -s V -l version -d 'Print version'
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -a "fix" -d 'Repair one text, or a stream of them, without a screen'
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -a "watch" -d 'The workbench on the live list of failed tool calls, or one JSON line a failure'
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -a "scan" -d 'List all failed tool calls in the logs there are now'
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -a "demo" -d 'The workbench on transcripts and texts inside the program'
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -a "explain" -d 'What a rule or a strategy does, why, at which level, with an example'
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -a "formats" -d 'The transcript formats known, where they live, what survives in them'
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -a "completions" -d 'A completion script for a shell'
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -a "man" -d 'The manual page, in roff'
complete -c jsonmedic -n "__fish_jsonmedic_needs_command" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand fix" -l allow -d 'The highest level of edits that may be made' -r -f -a "safe\t''
lossy\t''
guess\t''"
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand fix" -l strategy -d 'auto: the surest that gives valid JSON; chatcli: the first of 1 to 7 that does; or one strategy alone' -r -f -a "auto\t''
chatcli\t''
parse\t''
quotes-only\t''
unquoted-keys\t''
quotes-and-keys\t''
commas-only\t''
wrap\t''
object-literal\t''
one-answer\t''
with-losses\t''
best-guess\t''"
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand fix" -l tool -d 'The tool that the arguments belong to' -r
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand fix" -l field -d 'The field that a plain string goes to' -r
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand fix" -l tools -d 'Tool definitions (OpenAI, Anthropic, MCP tools/list or Gemini shape): the tool\'s JSON Schema guides the repair and checks the result' -r -F
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand fix" -l pick -d 'Where the text holds several values, keep this one: a number from 1, first, last, or all as an array' -r
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand fix" -l style -d 'Layout of the result; digits, escapes, order and duplicates stay' -r -f -a "as-is\t''
compact\t''
pretty\t''"
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand fix" -l report -d 'text: list the edits on standard error; json: one JSON object on standard output in place of the result' -r -f -a "text\t''
json\t''"
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand fix" -s o -l output -d 'Write the result there, - for standard output: the file appears whole or not at all, readable by you alone if it is new' -r -F
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand fix" -l keep -d 'When refused, write the source to standard output unchanged; the exit status is still 1'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand fix" -l batch -d 'Read JSON Lines {"id"?, "text", "tool"?, "schema"?} from standard input and write one report line each, in order'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand fix" -s h -l help -d 'Print help'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand watch" -l for -d 'End after this many seconds' -r
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand watch" -l kind -d 'Kinds of failure, or all [default: malformed,truncated]' -r -f -a "malformed\t''
truncated\t''
schema\t''
unknown-tool\t''
tool-error\t''
all\t''"
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand watch" -l tool -d 'Only calls of this tool (may be given more than once)' -r
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand watch" -l format -d 'Only logs of this format, as `jsonmedic formats` names them (may be given more than once)' -r
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand watch" -l since -d 'Only calls from then on: a duration back from now (90m, 2h, 3d) or a date (2026-11-30, 2026-11-30T14:00:00Z)' -r
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand watch" -l session -d 'Only calls of this session' -r
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand watch" -l json -d 'No screen: one JSON line a failure as it happens'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand watch" -l from-start -d 'First report the failures that are there already'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand watch" -l resume -d 'Go on where the last run stopped; after kill -9 the failures of its last moments may be told again'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand watch" -l poll -d 'Look at the files every other second, where file events do not work'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand watch" -s h -l help -d 'Print help'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand scan" -l kind -d 'Kinds of failure, or all [default: malformed,truncated]' -r -f -a "malformed\t''
truncated\t''
schema\t''
unknown-tool\t''
tool-error\t''
all\t''"
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand scan" -l tool -d 'Only calls of this tool (may be given more than once)' -r
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand scan" -l format -d 'Only logs of this format, as `jsonmedic formats` names them (may be given more than once)' -r
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand scan" -l since -d 'Only calls from then on: a duration back from now (90m, 2h, 3d) or a date (2026-11-30, 2026-11-30T14:00:00Z)' -r
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand scan" -l session -d 'Only calls of this session' -r
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand scan" -l json -d 'One JSON line a failed call'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand scan" -l score -d 'How many repairs the agents\' own retries confirm, by level and rule'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand scan" -l emit-line -d 'Print the log line of each call with the repaired arguments in it'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand scan" -s h -l help -d 'Print help'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand demo" -s h -l help -d 'Print help'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand explain" -s h -l help -d 'Print help'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand formats" -s h -l help -d 'Print help'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand completions" -s h -l help -d 'Print help'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand man" -s h -l help -d 'Print help'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand help; and not __fish_seen_subcommand_from fix watch scan demo explain formats completions man help" -f -a "fix" -d 'Repair one text, or a stream of them, without a screen'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand help; and not __fish_seen_subcommand_from fix watch scan demo explain formats completions man help" -f -a "watch" -d 'The workbench on the live list of failed tool calls, or one JSON line a failure'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand help; and not __fish_seen_subcommand_from fix watch scan demo explain formats completions man help" -f -a "scan" -d 'List all failed tool calls in the logs there are now'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand help; and not __fish_seen_subcommand_from fix watch scan demo explain formats completions man help" -f -a "demo" -d 'The workbench on transcripts and texts inside the program'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand help; and not __fish_seen_subcommand_from fix watch scan demo explain formats completions man help" -f -a "explain" -d 'What a rule or a strategy does, why, at which level, with an example'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand help; and not __fish_seen_subcommand_from fix watch scan demo explain formats completions man help" -f -a "formats" -d 'The transcript formats known, where they live, what survives in them'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand help; and not __fish_seen_subcommand_from fix watch scan demo explain formats completions man help" -f -a "completions" -d 'A completion script for a shell'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand help; and not __fish_seen_subcommand_from fix watch scan demo explain formats completions man help" -f -a "man" -d 'The manual page, in roff'
complete -c jsonmedic -n "__fish_jsonmedic_using_subcommand help; and not __fish_seen_subcommand_from fix watch scan demo explain formats completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
