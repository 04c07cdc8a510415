-- The local custom emojis whose shortcodes stand between colons in a text, as
-- src/federation/documents/emojis.ts parses them: a superset of the used ones. Null when there is
-- none.
create or replace function federated_emojis(source text) returns jsonb
language sql stable as $$
  select jsonb_agg(
    jsonb_build_object('id', e.id::text, 'shortcode', e.shortcode, 'image', e.image, 'updated_at', e.updated_at) order by e.id
  )
  from custom_emojis e
  where e.domain is null and not e.disabled
    and e.shortcode in (select found[1] from regexp_matches(source, ':([a-zA-Z0-9_]{2,})(?=:)', 'g') found)
$$;
