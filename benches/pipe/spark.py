"""One million requests through `jsonmedic fix --batch` as the pipe step of Spark, on this machine alone.

Usage: spark.py EXE [LINES]. Each request has an id and a text whose repair is known; the answers are held against it:
none missing, none doubled, in the order of their partition, each with the value that is right.
"""

import json
import sys
import time

from pyspark.sql import SparkSession

# Texts by the rest of the id, with what must come of them at `--allow lossy`: the output, or None for a refusal.
KINDS = [
    ("{'id': %d,}", '{"id": %d}'),
    ('{"id": %d}', '{"id": %d}'),
    ('```json\n{"id": %d, ok: True}\n```', '{"id": %d, "ok": true}'),
    ('{"id": %d, "text": "cut o', '{"id": %d, "text": "cut o"}'),
    ('{"id": %d, "rest": ...}', None),
]


def request(number):
    text, _ = KINDS[number % len(KINDS)]
    return json.dumps({"id": number, "text": text % number})


def fault(line):
    """What is wrong with an answer; None if it is as it must be."""
    answer = json.loads(line)
    number = answer["id"]
    expected = KINDS[number % len(KINDS)][1]
    status = "refused" if expected is None else "valid" if number % len(KINDS) == 1 else "repaired"
    output = None if expected is None else expected % number
    if answer["status"] != status or answer.get("output") != output:
        return line
    return None


def in_order(lines):
    """The ids of one partition: how many, whether they go up by one, and the answers that are wrong."""
    count, last, ordered, wrong = 0, None, True, []
    for line in lines:
        number = json.loads(line)["id"]
        ordered = ordered and (last is None or number == last + 1)
        count, last = count + 1, number
        if fault(line):
            wrong.append(line)
    yield count, ordered, wrong[:3]


def main():
    exe = sys.argv[1]
    lines = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    spark = SparkSession.builder.master("local[2]").appName("jsonmedic").config("spark.ui.enabled", "false").getOrCreate()
    context = spark.sparkContext
    context.setLogLevel("ERROR")

    start = time.monotonic()
    requests = context.range(lines, numSlices=8).map(request)
    # A process a partition. With `checkCode` a step fails whose process does not exit with 0.
    answers = requests.pipe(f"{exe} fix --batch --allow lossy", checkCode=True)
    parts = answers.mapPartitions(in_order).collect()
    seconds = time.monotonic() - start
    total = sum(count for count, _, _ in parts)
    wrong = [line for _, _, lines in parts for line in lines]
    assert total == lines, f"{total} answers to {lines} requests"
    assert all(ordered for _, ordered, _ in parts), "the order is lost"
    assert not wrong, wrong
    print(f"{total} requests in {len(parts)} partitions, {seconds:.1f} s: all answered, in order, as expected")

    # A line that is no request has an answer of its own, the rest goes on, and the process exits with 2.
    broken = context.parallelize([request(0), "no request", request(2)], 1)
    command = f"{exe} fix --batch --allow lossy"
    answers = [json.loads(line) for line in broken.pipe(command).collect()]
    assert [answer["status"] for answer in answers] == ["repaired", "error", "repaired"], answers
    assert answers[1]["line"] == 2, answers[1]
    try:
        broken.pipe(command, checkCode=True).collect()
    except Exception as error:
        assert "error code 2" in str(error), error
        print("a line that is no request: an answer with its number, the others too; exit code 2 ends a checked step")
    else:
        raise SystemExit("the exit code was not seen")
    spark.stop()


main()
