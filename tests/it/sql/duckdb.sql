-- Queries that both engines understand, a line each; @name is a table of the library.
select count(*) as n, sum(OrderQty) as q, min(OrderDate) as a, max(OrderDate) as b from @gen__sales/salesorderdetail
select ProductID, count(*) as n, sum(LineTotal) as s from @gen__sales/salesorderdetail group by ProductID order by ProductID
select OrderDate, count(distinct SalesOrderID) as n from @gen__sales/salesorderdetail group by OrderDate order by OrderDate
select p.Name, sum(d.OrderQty) as q from @gen__sales/salesorderdetail d join @gen__sales/product p on d.ProductID = p.ProductID group by p.Name order by q desc, p.Name limit 10
select p.ProductID from @gen__sales/product p left join @gen__sales/salesorderdetail d on d.ProductID = p.ProductID where d.ProductID is null order by 1
select extract(year from OrderDate) as y, extract(month from OrderDate) as m, count(*) as n, avg(UnitPrice) as p from @gen__sales/salesorderdetail group by 1, 2 order by 1, 2
select * from @gen__sales/salesorderdetail where OrderDate = date '2024-01-05' and OrderQty > 5 order by SalesOrderDetailID limit 20
select SalesOrderID, sum(LineTotal) as s from @gen__sales/salesorderdetail group by SalesOrderID having count(*) > 4 order by s desc, SalesOrderID limit 10
select * from (select ProductID, OrderDate, sum(OrderQty) as q, rank() over (partition by OrderDate order by sum(OrderQty) desc) as r from @gen__sales/salesorderdetail group by 1, 2) x where r <= 2 order by OrderDate, r, ProductID
select ProductID, LineTotal, sum(LineTotal) over (order by SalesOrderDetailID rows between 2 preceding and current row) as w from @gen__sales/salesorderdetail order by SalesOrderDetailID limit 50
select case when ListPrice < 100 then 'low' when ListPrice < 1000 then 'mid' else 'high' end as band, count(*) as n from @gen__sales/product group by 1 order by 1
select upper(substr(Name, 1, 3)) as a, length(Name) as l, replace(Name, ' ', '_') as r from @gen__sales/product order by ProductID limit 20
select count(*) as n from @gen__sales/salesorderdetail where ProductID in (select ProductID from @gen__sales/product where ListPrice > 1500)
select count(*) as n from @gen__sales/salesorderdetail d where exists (select 1 from @gen__sales/product p where p.ProductID = d.ProductID and p.ListPrice < 50)
select ProductID from @gen__sales/product except select ProductID from @gen__sales/salesorderdetail order by 1
select d.OrderDate, count(*) as n from @gen__sales/salesorderdetail d where d.OrderDate between date '2024-01-03' and date '2024-01-08' group by 1 order by 1
with m as (select max(OrderDate) as d from @gen__sales/salesorderdetail) select count(*) as n from @gen__sales/salesorderdetail s, m where s.OrderDate = m.d
select round(avg(LineTotal), 4) as a, min(LineTotal) as b, max(LineTotal) as c, count(distinct OrderQty) as d from @gen__sales/salesorderdetail where UnitPrice > 10
select stddev(UnitPrice) as s, var_samp(UnitPrice) as v, corr(UnitPrice, LineTotal) as c from @gen__sales/salesorderdetail
select OrderQty, UnitPrice * OrderQty as x, cast(UnitPrice as decimal(12,2)) as d from @gen__sales/salesorderdetail order by SalesOrderDetailID limit 30
select * from @dat__all_primitive_types order by int64
select sum(int8) as a, sum(int16) as b, sum(int32) as c, sum(int64) as d, sum("decimal") as e from @dat__all_primitive_types
select bool, count(*) as n, min(utf8) as a, max(date32) as b, max("timestamp") as c from @dat__all_primitive_types group by bool order by bool
select int64 from @dat__all_primitive_types where "timestamp" > timestamp '1970-01-01 02:30:00' order by 1
select int64 from @dat__all_primitive_types where "decimal" >= 12 and date32 < date '1970-01-05' order by 1
select * from @dat__nested_types order by pk
select pk, list_extract("array", 1) as a, "struct".float64 as f from @dat__nested_types order by pk
select count(*) as n from @dat__nested_types where "struct".bool
select letter, "date", number from @dat__multi_partitioned order by number
select data from @dat__multi_partitioned order by number
select * from @dat__multi_partitioned_2 order by "int"
select sum(amount) as s, count(*) as n from @dat__multi_partitioned_2 where bool
select * from @dat__partitioned_with_null order by number
select letter, count(*) as n, sum(a_float) as s from @dat__partitioned_with_null group by letter order by letter nulls last
select number from @dat__partitioned_with_null where letter is null order by 1
select number from @dat__partitioned_with_null where letter <> 'a' order by 1
select * from @dat__deletion_vectors order by "int"
select * from @dat__stats_as_struct order by "int"
select * from @delta__dv-partitioned-with-checkpoint order by col1
select part, count(*) as n, sum(col1) as s, max(col2) as m from @delta__dv-partitioned-with-checkpoint group by part order by part
select count(*) as n from @delta__dv-partitioned-with-checkpoint where part = 3
select * from @delta__dv-with-columnmapping order by col1
select part, min(col1) as a, max(col1) as b from @delta__dv-with-columnmapping where part > 4 group by part order by part
select count(*) as n, min(id) as a, max(id) as b, sum(id) as c from @delta__basic-dv-with-checkpoint
select id from @delta__basic-dv-with-checkpoint where id between 40 and 60 order by id
select IntegerType, FloatType, DoubleType, "decimal", BooleanType, StringType, BinaryType, DateType, TimestampType from @delta__table-with-columnmapping-mode-id order by IntegerType
select nested_struct, array_of_prims, array_of_arrays, array_of_structs, map_of_prims from @delta__table-with-columnmapping-mode-id order by IntegerType
select sum(LongType) as a, count(nested_struct.ac.aca) as b from @delta__table-with-columnmapping-mode-id
select "Super Name", "Company Very Short" from @delta-rs__table_with_column_mapping order by 1, 2
select "Company Very Short" as c, count(*) as n from @delta-rs__table_with_column_mapping where "Super Name" like '%a%' group by 1 order by 1
select * from @made__typed_partitions order by id
select d, ts, "dec", ok, n, count(*) as c from @made__typed_partitions group by 1, 2, 3, 4, 5 order by d nulls last, ts nulls last, "dec" nulls last, ok nulls last, n nulls last
select count(*) as c from @made__typed_partitions where d is null or ok
select id from @made__typed_partitions where "dec" > 1 order by id
select * from @made__deletion_vectors order by id
select count(*) as n, sum(v) as s from @made__deletion_vectors where id > 50
select "p q" as p, count(*) as n, sum(v) as s from @made__special_partitions group by 1 order by n, s
select count(*) as n from @made__special_partitions where "p q" is null
select * from @delta__data-reader-timestamp_ntz order by id
select count(*) as n from @delta__data-reader-timestamp_ntz where tsNtz > timestamp '2021-11-18 02:30:00'
select tsNtzPartition, count(*) as n from @delta__data-reader-timestamp_ntz group by 1 order by 1 nulls last
select i, a, b, c, f from @delta__data-reader-map order by i
select as_array_int, as_array_long, as_array_boolean, as_array_double, as_array_string, as_array_big_decimal from @delta__data-reader-array-primitives order by list_extract(as_array_int, 1)
select snapshot_date, count(*) as n, sum(stock) as s, max(updated_at) as u from @gen__produtos group by snapshot_date order by 1
select id, snapshot_date, count(*) as n from @gen__produtos group by id, snapshot_date having count(*) > 1 order by id, snapshot_date
select nome, price from @gen__produtos where snapshot_date = (select max(snapshot_date) from @gen__produtos) order by id limit 20
select id, a.b.c as c, tags from @made__nested_stats order by id, c
select count(*) as n, sum(a.b.c) as s from @made__nested_stats where a.b.c > 2
select * from @delta-rs__delta-0.8.0-null-partition order by v
select count(*) as n from @kernel-rs__partition_cm_id
select ByteType, ShortType, IntegerType, LongType, "decimal", DateType, TimestampType, TimestampNTZType from @delta__parquet-all-types order by IntegerType nulls last, StringType limit 60
select BooleanType, count(*) as n, sum(DoubleType) as s, max("decimal") as d from @delta__parquet-all-types group by 1 order by 1 nulls last
select * from @made__huge_ints order by k
select sum(d) as s, max(k) as m from @made__huge_ints
select as_int, as_long, as_boolean, as_float, as_double, as_string, as_date, as_timestamp, as_big_decimal, as_nested_struct, value from @delta__data-reader-partition-values order by as_int nulls last, value
select as_string, count(*) as n from @delta__data-reader-partition-values group by 1 order by 1 nulls last
select * from @dat__with_schema_change order by num1, num2
select sum(version) as s from @delta-rs__simple_table_with_checkpoint
select count(*) as n from @dat__partitioned_with_null where letter in ('a', null)
select count(*) as n from @dat__partitioned_with_null where letter = 'a' or null
select count(*) as n from @dat__partitioned_with_null where not (letter = 'a' and null)
select count(*) as n from @dat__partitioned_with_null where letter not in ('a', null)
select count(*) as n from @dat__partitioned_with_null where case when letter = 'a' then null else true end
select count(*) as n from @dat__partitioned_with_null where coalesce(letter = 'a', true)
select count(*) as n from @dat__partitioned_with_null where (letter = 'a') is null
select count(*) as n from @dat__partitioned_with_null where nullif(letter, 'a') is null
select count(*) as n from (select letter from @dat__partitioned_with_null where letter is not null limit 1) x
select letter from (select letter from @dat__partitioned_with_null where letter = 'a') x limit 1
select part from @delta__dv-partitioned-with-checkpoint where part = 3 limit 2
select count(*) as n from @made__typed_partitions where d in (date '2024-01-01', null) or ok = null
select count(*) as n from @made__typed_partitions where coalesce(ok, true) and "dec" is distinct from 1
select count(*) as n, min(number) as a from @dat__multi_partitioned where letter like '%a%' or "date" is null
select count(*) as n from @dat__all_primitive_types where float64 > 2.5 or float32 = 1.0
select count(*) as n from @dat__all_primitive_types where float32 in (1.0, 2.0) and float64 between 0.5 and 3.5
select floor(price) as f, ceil(price) as c, round(price, 1) as r from @gen__produtos order by id, snapshot_date, f limit 20
select max(updated_at) - min(updated_at) > interval '2 days' as long from @gen__produtos
select OrderDate, grouping(OrderDate) as g, count(*) as n from @gen__sales/salesorderdetail group by rollup(OrderDate) order by OrderDate nulls first, g
select ProductID, sum(LineTotal) as s, sum(sum(LineTotal)) over () as t from @gen__sales/salesorderdetail group by ProductID order by ProductID limit 20
select SalesOrderDetailID, UnitPrice / 3 as x, OrderQty / 2 as y, OrderQty % 3 as z from @gen__sales/salesorderdetail order by 1 limit 20
select ProductID from @gen__sales/product where ProductID not in (select ProductID from @gen__sales/salesorderdetail where OrderQty > 3) order by 1
select count(*) as n from @made__nan_stats where x = 'NaN' or f > 'Infinity'
select count(*) as n from @made__nan_stats where x >= 'Infinity'
select count(*) as n from @made__nan_stats where f = 'NaN'
select count(*) as n from @made__nan_stats where x > 0.5 and f is not null
