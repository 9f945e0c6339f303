"""Runs DataHub's own csv-enricher on cases: JSON lines {config, file} on stdin, against the catalog at argv[1].
"""
import json
import sys

from datahub.ingestion.run.pipeline import Pipeline

for line in sys.stdin:
    case = json.loads(line)
    source = {"type": "csv-enricher", "config": {**case["config"], "filename": case["file"]}}
    sink = {"type": "datahub-rest", "config": {"server": sys.argv[1], "mode": "SYNC", "max_threads": 1}}
    pipeline = Pipeline.create({"source": source, "sink": sink}, report_to=None)
    pipeline.run()
    pipeline.raise_from_status()
    print(case["name"], flush=True)
