create table if not exists raw.credit_note (
  credit_note_id number(12)    not null,
  invoice_no     varchar(16)   not null,
  reason_code    varchar(10)   not null comment 'LATE, DAMAGE, PRICE or GOODWILL',
  amount         number(12, 2) not null comment 'In the currency of the invoice',
  approved_by    varchar(80)            comment 'Name of the approver',
  issued_on      date          not null,
  constraint pk_credit_note primary key (credit_note_id)
)
comment = 'Credit granted after the invoice';
