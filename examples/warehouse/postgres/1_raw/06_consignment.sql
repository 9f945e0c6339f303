-- A change log: the yard system writes a row each time a booking is touched.
CREATE TABLE IF NOT EXISTS raw.consignment (
  change_id            bigint      PRIMARY KEY,
  consignment_id       bigint      NOT NULL,
  account_ref          text        NOT NULL,
  consignee_name       text,
  origin_code          char(3)     NOT NULL REFERENCES raw.terminal,
  destination_code     char(3)     NOT NULL REFERENCES raw.terminal,
  commodity_code       char(4)     NOT NULL REFERENCES raw.commodity,
  tariff_code          text        NOT NULL,
  declared_weight_kg   integer,
  booked_at            timestamptz NOT NULL,
  requested_arrival_on date        NOT NULL,
  status               text        NOT NULL,
  changed_at           timestamptz NOT NULL
);

COMMENT ON TABLE  raw.consignment                    IS 'Every version of every booking, as written by the yard system';
COMMENT ON COLUMN raw.consignment.account_ref        IS 'Account number of the customer in the CRM';
COMMENT ON COLUMN raw.consignment.consignee_name     IS 'Name of the person or firm that receives the goods';
COMMENT ON COLUMN raw.consignment.declared_weight_kg IS 'Weight as declared by the customer, before the weighbridge';
COMMENT ON COLUMN raw.consignment.status             IS 'BOOKED, LOADED, MOVING, ARRIVED, CLOSED or CANCELLED';
