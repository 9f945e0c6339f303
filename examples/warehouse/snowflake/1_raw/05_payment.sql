create table if not exists raw.payment (
  payment_id   varchar(36)   not null,
  account_ref  varchar(12)            comment 'As matched by the bank; null when unmatched',
  reference    varchar(140)           comment 'Remittance text written by the payer',
  iban         varchar(34)            comment 'Account that the money came from',
  amount       number(12, 2) not null,
  currency     char(3)       not null,
  value_date   date          not null,
  constraint pk_payment primary key (payment_id)
)
comment = 'Incoming payments, from the bank statements of each morning';
