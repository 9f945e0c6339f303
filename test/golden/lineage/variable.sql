-- case: values that go through variables and a cursor
-- dialect: tsql
CREATE PROCEDURE dbo.p @d date AS
BEGIN
  DECLARE @max INT, @n INT = (SELECT COUNT(*) FROM s.cnt), @name varchar(10);
  SELECT @max = MAX(o.id), @name = o.name FROM s.orders o;
  SET @n += (SELECT y FROM s.y);
  INSERT INTO mart.log (max_id, n, nm) VALUES (@max, @n, @name);
  UPDATE mart.state SET last_id = @max + 1 WHERE k = @name;
  DECLARE c CURSOR LOCAL FAST_FORWARD FOR SELECT id, amt FROM s.lines WHERE d = @d;
  OPEN c
  FETCH NEXT FROM c INTO @a, @b
  WHILE @@FETCH_STATUS = 0
  BEGIN
    INSERT mart.x (id, amt) SELECT @a, @b * 2
    FETCH NEXT FROM c INTO @a, @b
  END
  CLOSE c DEALLOCATE c
  EXEC dbo.other @x = @max, @y = @n OUTPUT
END
-- expect: mart.log.max_id <- s.orders.id
-- expect: mart.log.n <- s.y.y
-- expect: mart.log.nm <- s.orders.name
-- expect: mart.state.last_id <- s.orders.id
-- expect: mart.x.id <- s.lines.id
-- expect: mart.x.amt <- s.lines.amt
-- inputs: s.cnt, s.orders, s.y, mart.state, s.lines

-- case: records, cursors and collections of PL/SQL
-- dialect: oracle
create or replace procedure p is
  v_total number; r_emp emp%rowtype;
  type t_ids is table of emp.id%type; l_ids t_ids; l_rows t_rows;
  cursor c_emp(p_d number) is select e.id, e.sal from emp e where e.d = p_d;
begin
  select sum(sal), max(id) into v_total, v_max from emp;
  select * into r_emp from emp where id = 1;
  insert into tot (v, m, nm) values (v_total, v_max, r_emp.name);
  for r in c_emp(10) loop
    v_rec.total := r.sal * 2;
    insert into x (id, sal, t) values (r.id, r.sal, v_rec.total);
  end loop;
  open c_emp(1);
  loop
    fetch c_emp into v_id, v_sal;
    exit when c_emp%notfound;
    update y set sal = v_sal where id = v_id;
  end loop;
  close c_emp;
  select id bulk collect into l_ids from src;
  forall i in 1..l_ids.count
    insert into z (id) values (l_ids(i));
  open c2 for select a, b from ss;
  fetch c2 bulk collect into l_rows limit 100;
  forall i in l_rows.first .. l_rows.last save exceptions
    insert into zz values l_rows(i);
  forall i in 1..l_rows.count
    insert into z3 (a,b) values (l_rows(i).a, l_rows(i).b);
  execute immediate 'select count(id) from dyn' into v_cnt;
  insert into cnts(c) values (v_cnt);
end;
/
-- expect: tot.v <- emp.sal
-- expect: tot.m <- emp.id
-- expect: tot.nm <- emp.name
-- expect: x.id <- emp.id
-- expect: x.sal <- emp.sal
-- expect: x.t <- emp.sal
-- expect: y.sal <- emp.sal
-- expect: z.id <- src.id
-- expect: z3.a <- ss.a
-- expect: z3.b <- ss.b
-- expect: cnts.c <- dyn.id
-- inputs: emp, y, src, ss, dyn
-- outputs: tot, x, y, z, zz, z3, cnts

-- case: a trigger reads its rows through binds
-- dialect: oracle
create or replace trigger trg after insert or update on hr.emp for each row
declare v number;
begin
  insert into audit_emp (id, old_sal, new_sal, who) values (:new.id, :old.sal, :new.sal, user);
  :new.upd := sysdate;
  select d.name into :new.dname from dept d where d.id = :new.did;
end;
/
-- expect: audit_emp.id <- hr.emp.id
-- expect: audit_emp.old_sal <- hr.emp.sal
-- expect: audit_emp.new_sal <- hr.emp.sal
-- expect: audit_emp.who <- nothing
-- expect: hr.emp.upd <- nothing
-- expect: hr.emp.dname <- dept.name

-- case: a trigger reads its rows; user variables
-- dialect: mysql
DELIMITER //
CREATE TRIGGER t1 AFTER UPDATE ON shop.orders FOR EACH ROW
BEGIN
  INSERT INTO audit (oid, amt) VALUES (NEW.id, OLD.amount);
END//
DELIMITER ;
SET @m = (SELECT MAX(id) FROM shop.orders);
SELECT @n := COUNT(*), @k := 3 FROM shop.items;
SELECT name, id INTO @a, @b FROM shop.c LIMIT 1;
INSERT INTO mart.x (m, n, a) VALUES (@m, @n, @a);
-- expect: audit.oid <- shop.orders.id
-- expect: audit.amt <- shop.orders.amount
-- expect: ? <- nothing
-- expect: ? <- nothing
-- expect: mart.x.m <- shop.orders.id
-- expect: mart.x.n <- nothing
-- expect: mart.x.a <- shop.c.name
-- inputs: shop.orders, shop.items, shop.c

-- case: a cursor fetched in a loop
-- dialect: mysql
CREATE PROCEDURE p()
BEGIN
  DECLARE done INT DEFAULT FALSE;
  DECLARE v_id, v_q INT;
  DECLARE cur CURSOR FOR SELECT id, qty FROM shop.items;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = TRUE;
  OPEN cur;
  read_loop: LOOP
    FETCH cur INTO v_id, v_q;
    IF done THEN LEAVE read_loop; END IF;
    INSERT INTO mart.i (id, q) VALUES (v_id, v_q);
  END LOOP;
  CLOSE cur;
END
-- expect: mart.i.id <- shop.items.id
-- expect: mart.i.q <- shop.items.qty

-- case: result sets, cursors and variables of a script
-- dialect: snowflake
execute immediate $$
declare
  res resultset default (select id, amt from raw.t);
  c1 cursor for select id, amount from raw.orders;
  v_id number; a varchar; b varchar;
begin
  let total := (select sum(amount) from raw.orders);
  insert into mart.t(total) values (:total);
  select max(d) into :a from raw.d;
  insert into mart.d values (:a);
  let c2 cursor for res;
  for row_variable in c2 do
    insert into mart.m(id, amt) values (row_variable.id, row_variable.amt);
  end for;
  for rr in res do
    v_id := rr.amt;
    insert into mart.m2(amt) select :v_id;
  end for;
  open c1;
  fetch c1 into a, b;
  insert into mart.m3(a, b) values (:a, :b);
end;
$$;
set maxd = (select max(d) from raw.d);
insert into x select $maxd as d, y from z;
-- expect: mart.t.total <- raw.orders.amount
-- expect: mart.m.id <- raw.t.id
-- expect: mart.m.amt <- raw.t.amt
-- expect: mart.m2.amt <- raw.t.amt
-- expect: mart.m3.a <- raw.orders.id
-- expect: mart.m3.b <- raw.orders.amount
-- expect: x.d <- raw.d.d
-- expect: x.y <- z.y
-- outputs: mart.t, mart.d, mart.m, mart.m2, mart.m3, x

-- case: records, cursors and dynamic queries of PL/pgSQL
-- dialect: postgres
create or replace function f() returns trigger as $$
declare r record; v numeric; cur cursor for select a, b from s.t; 
begin
  select sum(x) into v from s.o;
  insert into m.v values (v);
  for r in select id, nm from s.p loop
    insert into m.p (id, nm) values (r.id, upper(r.nm));
  end loop;
  for r in execute 'select id, nm from s.q' loop
    insert into m.q (id, nm) values (r.id, r.nm);
  end loop;
  if v > 1 then v := (select y from s.y1); else v := (select y from s.y2); end if;
  insert into m.w(v) values (v);
  open cur; fetch cur into r; insert into m.c(a) values (r.a);
  execute 'select max(kk) from s.k' into v;
  insert into m.k(k) values (v);
  return new;
end $$ language plpgsql;
-- expect: m.p.id <- s.p.id
-- expect: m.p.nm <- s.p.nm
-- expect: m.q.id <- s.q.id
-- expect: m.q.nm <- s.q.nm
-- expect: m.w.v <- s.o.x, s.y1.y, s.y2.y
-- expect: m.c.a <- s.t.a
-- expect: m.k.k <- s.k.kk
-- outputs: m.v, m.p, m.q, m.w, m.c, m.k

-- case: variables of a script, assigned from queries
-- dialect: bigquery
DECLARE mx DATE DEFAULT (SELECT MAX(d) FROM ds.t);
DECLARE a, b INT64;
SET mx = (SELECT MAX(d2) FROM ds.t2);
SET (a, b) = (SELECT AS STRUCT x, y FROM ds.s);
INSERT INTO ds.o (d, a, b) VALUES (mx, a, b);
FOR rec IN (SELECT id, v FROM ds.src) DO
  INSERT INTO ds.o2 (id, v) VALUES (rec.id, rec.v);
END FOR;
EXECUTE IMMEDIATE "SELECT COUNT(id) FROM ds.cc" INTO a;
INSERT INTO ds.o3 (a) SELECT a;
-- expect: ds.o.d <- ds.t2.d2
-- expect: ds.o.a <- ds.s.x
-- expect: ds.o.b <- ds.s.y
-- expect: ds.o2.id <- ds.src.id
-- expect: ds.o2.v <- ds.src.v
-- expect: f0_ <- ds.cc.id
-- expect: ds.o3.a <- ds.cc.id
-- inputs: ds.t, ds.t2, ds.s, ds.src, ds.cc

-- case: REFERENCING names the rows of a trigger
-- dialect: db2
CREATE TRIGGER trg AFTER UPDATE ON hr.emp REFERENCING NEW AS n OLD AS o FOR EACH ROW MODE DB2SQL
BEGIN ATOMIC
 INSERT INTO audit (id, a, b) VALUES (n.id, o.sal, n.sal);
END
-- expect: audit.id <- hr.emp.id
-- expect: audit.a <- hr.emp.sal
-- expect: audit.b <- hr.emp.sal


-- case: INTO before the list of what is selected
-- dialect: postgres, redshift
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$
DECLARE a int; b int;
BEGIN
  SELECT INTO a, b max(o.id), min(o.id) FROM s.orders o;
  INSERT INTO mart.t (x, y) VALUES (a, b);
END $$;
-- expect: mart.t.x <- s.orders.id
-- expect: mart.t.y <- s.orders.id

-- case: INTO behind the whole query
-- dialect: postgres
-- table: shop.orders (id, made)
-- table: shop.old (id, made)
CREATE FUNCTION shop.pick(id int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE a int; b int; r record;
BEGIN
  SELECT o.made FROM shop.orders o WHERE o.id = pick.id ORDER BY o.made LIMIT 1 INTO a;
  SELECT o.id FROM shop.orders o FOR UPDATE INTO b;
  SELECT o.id, o.made FROM shop.orders o UNION ALL SELECT d.id, d.made FROM shop.old d ORDER BY 1 LIMIT 1 INTO r;
  INSERT INTO mart.p (a, b, c) VALUES (a, b, r.made);
END $$;
-- expect: mart.p.a <- shop.orders.made
-- expect: mart.p.b <- shop.orders.id
-- expect: mart.p.c <- shop.orders.made, shop.old.made
