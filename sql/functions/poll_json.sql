-- A poll as src/statuses/polls/fragment.ts parses it. server: the author's, null for this one.
create or replace function poll_json(poll polls, server text) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'id', poll.id::text, 'options', poll.options, 'tallies', poll.tallies, 'voters_count', poll.voters_count,
    'multiple', poll.multiple, 'hide_totals', poll.hide_totals,
    'expires_at_ms', floor(extract(epoch from poll.expires_at) * 1000)::bigint,
    'emojis', case
      when array_to_string(poll.options, ' ') like '%:%:%' then emojis_in(array_to_string(poll.options, ' '), server)
    end
  )
$$;
