-- The custom emojis of a server whose shortcodes stand between colons in a text: a superset of the
-- used ones, because src/core/text checks the surrounding characters. Null when there is none.
-- Most texts with two colons are such with links. The pattern finds that out in PL/pgSQL, since
-- setting up the query of a function in SQL takes several times as long.
create or replace function emojis_in(source text, server text) returns jsonb
language plpgsql stable as $$
begin
  if source !~ ':[a-zA-Z0-9_]{2,}:' then
    return null;
  end if;
  return (
    select jsonb_agg(
      jsonb_build_object('shortcode', e.shortcode, 'image', e.image, 'visible_in_picker', e.visible_in_picker) order by e.id
    )
    from custom_emojis e
    where coalesce(e.domain, '') = coalesce(server, '') and not e.disabled
      and e.shortcode in (select name[1] from regexp_matches(source, ':([a-zA-Z0-9_]{2,})(?=:)', 'g') name)
  );
end
$$;
