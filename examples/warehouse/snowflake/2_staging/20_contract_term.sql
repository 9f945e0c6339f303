-- One row per contract and term; a term that ends is closed, never rewritten.
create table if not exists staging.contract_term (
  contract_id   number(12)   not null,
  account_ref   varchar(12)  not null,
  discount_rate number(5, 4) not null,
  fuel_clause   boolean      not null,
  valid_from    date         not null,
  valid_to      date         not null,
  penalty_rate  number(5, 4),
  constraint pk_contract_term primary key (contract_id, valid_from)
);

merge into staging.contract_term as t
using (
  select
    c.contract_id,
    c.account_ref,
    c.discount_rate,
    c.fuel_clause,
    c.valid_from,
    coalesce(c.valid_to, '9999-12-31'::date)    as valid_to,
    c.document:penalty.rate::number(5, 4)       as penalty_rate
  from raw.contract as c
) as s
on t.contract_id = s.contract_id and t.valid_from = s.valid_from
when matched and t.valid_to <> s.valid_to then update set
  t.valid_to = s.valid_to,
  t.penalty_rate = s.penalty_rate
when not matched then insert
  (contract_id, account_ref, discount_rate, fuel_clause, valid_from, valid_to, penalty_rate)
values
  (s.contract_id, s.account_ref, s.discount_rate, s.fuel_clause, s.valid_from, s.valid_to, s.penalty_rate);
