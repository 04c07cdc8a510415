-- passes_on: whether what a host delivers of an actor comes through a relay that has accepted:
-- from the relay itself, or from another server's actor.
-- $1 host text
-- $2 actor text
-- $3 foreign boolean: the actor is of another server than the host
-- rows: one
-- plan: the whole table, which has a few rows
select exists (
  select from relays r
  where r.state = 'accepted' and r.host = $1 and (r.actor_uri = $2 or $3)
) as relayed
