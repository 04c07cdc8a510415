-- A trigger of status_tags: sets the author of the status, and what the hashtag is counted by.
create or replace function set_status_tag_author() returns trigger language plpgsql as $$
declare
  facts record;
begin
  select f.account_id, f.language, f.counted, f.listed into facts from status_tag_facts(new.status_id) f;
  if found then
    new.account_id := facts.account_id;
    new.language := facts.language;
    new.counted := facts.counted;
    new.listed := facts.listed;
  end if;
  return new;
end
$$;
