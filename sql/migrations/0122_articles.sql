-- Only articles trend. Whether a page is one was not stored: earlier previews count as articles
-- until their pages are fetched again. Adds a column with a constant default, which rewrites
-- nothing.
alter table preview_cards add column article boolean not null default true;
