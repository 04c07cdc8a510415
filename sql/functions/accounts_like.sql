-- Accounts with a name similar to a text, the most similar first: at least 45 of 100 trigrams are
-- shared, which allows one wrong letter in five, or two in ten. Uses the index accounts_names. For
-- the search, when no name begins with the text or contains it. The text is in a sub-select, so
-- that the statement is planned once: planning took ten times as long as running it.
create or replace function accounts_like(name text) returns setof bigint
language sql stable rows 50
set pg_trgm.word_similarity_threshold = 0.45 as $$
  select a.id
  from accounts a
  where lower(a.username) || ' ' || lower(a.display_name) %> (select name)
  order by word_similarity(name, lower(a.username) || ' ' || lower(a.display_name)) desc, a.id
  limit 50
$$;
