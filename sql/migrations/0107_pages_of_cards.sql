-- A link may lead to the page of another site: its host decides about publisher and author.
alter table preview_cards add column page_url text;

comment on column preview_cards.page_url is
  'the page after redirects; null: fetched before this was stored, as the URL says';
