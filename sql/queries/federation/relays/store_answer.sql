-- store_answer: a relay accepts or rejects the Follow with this id. Only an actor of its host can
-- answer, and after the first answer only the same actor.
-- $1 follow_uri text
-- $2 host text
-- $3 actor text
-- $4 state text
-- rows: one, or none when there is no such relay
-- plan: no sequential scan
update relays r set state = $4, actor_uri = $3, changed_at = now()
where r.follow_uri = $1 and r.host = $2 and (r.actor_uri is null or r.actor_uri = $3)
returning r.id
