-- Accounts with a name that is much like a text, the most like it first: it shares 45 of 100 groups of three letters, so that one wrong
-- letter of five may be there, or two of ten. Uses the index accounts_names. For the search, when nobody has the name that was written.
create or replace function accounts_like(name text) returns setof bigint
language sql stable rows 50
set pg_trgm.word_similarity_threshold = 0.45 as $$
  select a.id
  from accounts a
  where lower(a.username) || ' ' || lower(a.display_name) %> name
  order by word_similarity(name, lower(a.username) || ' ' || lower(a.display_name)) desc, a.id
  limit 50
$$;
