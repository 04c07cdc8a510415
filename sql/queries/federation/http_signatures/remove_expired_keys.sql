-- remove_expired_keys: deletes expired keys, the oldest beyond a maximum, and what is known of
-- replaced keys after a day.
-- $1 maximum integer
-- rows: none
-- plan: by the age of the keys
with forgotten as (
  delete from replaced_keys r where r.replaced_at < now() - interval '1 day'
)
delete from remote_keys k
where k.fetched_at < greatest(
  now() - interval '1 day',
  (select r.fetched_at from remote_keys r order by r.fetched_at desc offset $1::integer limit 1)
)
