-- end_round: lets the next nightly removal begin with the oldest statuses again when this round
-- did so a month ago: some that were kept have lost their relations since. One that began later
-- than now was recorded before the clock was set back.
-- rows: none
-- plan: the only row
update retention_progress r
set examined_status_id = 0, round_began_at = now()
where r.round_began_at < now() - interval '30 days' or r.round_began_at > now() + interval '1 hour'
