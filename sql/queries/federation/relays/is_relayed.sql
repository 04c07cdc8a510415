-- is_relayed: whether an activity that a host delivered comes through an accepted relay: it is of
-- the relay itself, or of an actor on another server.
-- $1 host text
-- $2 actor text
-- $3 foreign boolean: whether the actor is on another server than the host
-- rows: one
-- plan: the whole table, which has a few rows
select exists (
  select from relays r
  where r.state = 'accepted' and r.host = $1 and (r.actor_uri = $2 or $3)
) as relayed
