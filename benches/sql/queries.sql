-- Queries that both sides understand alike, one a line.
select count(*) from t
select count(*), sum(quantity), min(price), max(total) from t
select day, count(*) n, sum(total) s from t group by day order by day
select product, count(*) n, avg(price) p from t group by product order by n desc, product limit 20
select count(distinct customer) from t
select * from t where id = 123456
select id, total from t where day = 3 and quantity > 35 order by total desc, id limit 50
select * from t where day in (1, 2) and product = 710 order by id limit 100
select customer, sum(total) s from t group by customer having count(*) > 20 order by s desc, customer limit 10
select note, count(*) n from t group by note order by n
select upper(substr(note, 1, 4)) a, length(note) l, count(*) n from t group by 1, 2 order by 3
select case when price < 20 then 'low' when price < 100 then 'mid' else 'high' end band, count(*) n from t group by 1 order by 1
select day, product, rank() over (partition by day order by sum(quantity) desc) r from t group by day, product order by day, r limit 100
select a.product, count(*) n from t a join (select product, max(price) p from t group by product) b on a.product = b.product and a.price = b.p group by a.product order by 1
select count(*) from t where note is null and day between 5 and 9
select count(*) from t where note like '%wrapped%'
select sum(case when quantity > 20 then total else 0.0 end) from t
select stddev(price), var_samp(price), corr(price, total) from t
select id, price, sum(price) over (order by id rows between 2 preceding and current row) w from t where day = 0 order by id limit 50
select day from t group by day except select day from t where quantity > 1000 order by 1
with m as (select max(total) x from t) select id from t, m where total = m.x
select count(*) from t where product in (select product from t where day = 7 and quantity = 39 and price > 300)
select * from t order by price desc, id limit 25
select * from t limit 1000
