-- The custom emojis of a server whose shortcodes stand between colons in a text: a superset of the
-- used ones, because src/core/text checks the surrounding characters. Null when there is none.
create or replace function emojis_in(source text, server text) returns jsonb
language sql stable as $$
  select jsonb_agg(
    jsonb_build_object('shortcode', e.shortcode, 'image', e.image, 'visible_in_picker', e.visible_in_picker) order by e.id
  )
  from custom_emojis e
  where coalesce(e.domain, '') = coalesce(server, '') and not e.disabled
    and e.shortcode in (select found[1] from regexp_matches(source, ':([a-zA-Z0-9_]{2,})(?=:)', 'g') found)
$$;
