-- Northmoor Rail Freight, operations database.
-- raw is written by the yard system and the train register; staging and mart by the nightly build.
CREATE SCHEMA IF NOT EXISTS raw;
CREATE SCHEMA IF NOT EXISTS staging;
CREATE SCHEMA IF NOT EXISTS mart;
