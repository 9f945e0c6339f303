create table if not exists raw.crm_account (
  account_ref   varchar(12)   not null comment 'Account number, printed on every invoice',
  legal_name    varchar(200)  not null comment 'Name as in the register of companies',
  contact_email varchar(200)           comment 'Address of the person who books',
  segment       varchar(20)            comment 'KEY, REGIONAL or SPOT',
  country_code  char(2)       not null,
  credit_limit  number(12, 2)          comment 'In GBP; null when the customer pays in advance',
  is_deleted    boolean       not null default false,
  synced_at     timestamp_tz  not null comment 'When the row was copied out of the CRM',
  constraint pk_crm_account primary key (account_ref, synced_at)
)
comment = 'Snapshots of CRM accounts, one row per account and sync';
