"""Answers queries with DuckDB: a JSON list of texts on standard input, a list of results on standard output."""
import base64, datetime, decimal, json, pathlib, sys
import duckdb
import duckdb_ext

home = pathlib.Path(list(duckdb_ext.__path__)[0])
connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
connection.execute(f"LOAD '{next(home.rglob('delta.duckdb_extension'))}'")
connection.execute("SET TimeZone = 'UTC'")
# Nulls as Spark orders them.
connection.execute("SET default_null_order = 'NULLS_FIRST_ON_ASC_LAST_ON_DESC'")


def plain(value):
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float, decimal.Decimal)):
        return str(value)
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, datetime.datetime):
        if value.tzinfo:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return value.isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key) if not isinstance(key, str) else key: plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return str(value)


def answer(query):
    try:
        return [[plain(cell) for cell in row] for row in connection.execute(query).fetchall()]
    except Exception as error:
        return str(error)


print(json.dumps([answer(query) for query in json.load(sys.stdin)]))
