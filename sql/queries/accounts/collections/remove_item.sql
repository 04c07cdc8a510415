-- remove_item: takes an account out of a collection, with what it was told. One that took itself out stays so. Run under lock.
-- $1 collection bigint
-- $2 item bigint
-- rows: none when it is not in it
-- plan: no sequential scan
with gone as (
  delete from collection_items i
  where i.id = $2 and i.collection_id = $1 and i.state in ('pending', 'accepted')
  returning i.id, i.collection_id, i.account_id
), untold as (
  delete from notifications n using gone, collections c
  where c.id = gone.collection_id and n.account_id = gone.account_id and n.from_account_id = c.account_id
    and n.type in ('added_to_collection', 'collection_update') and n.activity_id = c.id
), told as (
  insert into events (kind, account_id, object_id, data)
  select 'collection.changed', c.account_id, c.id, '{"what": "items"}' from gone join collections c on c.id = gone.collection_id
  returning event_json(events) as event
)
select gone.id, (select jsonb_agg(told.event) from told) as events from gone
