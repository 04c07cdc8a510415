-- Misskey does not say how many accounts have voted in a poll with several choices: null.
alter table polls alter column voters_count drop not null;
