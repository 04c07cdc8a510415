-- The URI of an item of a collection elsewhere, by which its curator removes it. Locks
-- collection_items for a moment.
alter table collection_items add column uri text;
