-- A domain and all its parents: `mail.a.example`, `a.example`, `example`.
create or replace function domains_above(domain text) returns text[]
language sql immutable parallel safe as $$
  select array(
    select array_to_string((string_to_array(domain, '.'))[n:], '.')
    from generate_series(1, cardinality(string_to_array(domain, '.'))) n
  )
$$;
