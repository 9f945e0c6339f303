create table if not exists raw.damage_claim (
  claim_id       number(12)    not null,
  consignment_id number(18)    not null,
  claimed_gbp    number(12, 2) not null,
  settled_gbp    number(12, 2)          comment 'Null while open',
  description    varchar(2000)          comment 'As written by the customer',
  opened_on      date          not null,
  settled_on     date,
  constraint pk_damage_claim primary key (claim_id)
)
comment = 'Claims for lost or damaged goods';
