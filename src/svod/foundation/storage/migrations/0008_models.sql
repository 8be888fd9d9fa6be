-- Several embedding models: why an item's meaning waits.

-- A machine name; null while nothing is waited for.
alter table item add column meaning_waits text;
