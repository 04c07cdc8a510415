-- remove_expired_keys: deletes expired keys, and the oldest beyond a maximum.
-- $1 maximum integer
-- rows: none
-- plan: by the age of the keys
delete from remote_keys k
where k.fetched_at < greatest(
  now() - interval '1 day',
  (select r.fetched_at from remote_keys r order by r.fetched_at desc offset $1::integer limit 1)
)
