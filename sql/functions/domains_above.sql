-- A domain and all its parents: `mail.a.example`, `a.example`, `example`. A port or a final dot
-- makes no other server: `a.example:8443` and `a.example.` are followed by `a.example`.
-- A loop, because PostgreSQL plans the statement of an SQL function at each call.
create or replace function domains_above(domain text) returns text[]
language plpgsql immutable parallel safe as $$
declare
  rest text := regexp_replace(domain, '\.*(:[0-9]*)?$', '');
  found text[] := case when domain in ('', rest) then '{}' else array[domain] end;
begin
  while rest <> '' loop
    found := found || rest;
    rest := case when position('.' in rest) > 0 then substr(rest, position('.' in rest) + 1) else '' end;
  end loop;
  return found;
end
$$;
