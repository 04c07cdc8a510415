-- A trigger of events: adds the job that sends a new post to the subscribers of its author, if
-- there are any. It is due in two minutes, in which the author may delete or edit the post.
create or replace function enqueue_subscription_emails() returns trigger language plpgsql as $$
begin
  if exists (select from email_subscriptions s where s.account_id = new.actor_id and s.confirmed_at is not null) then
    perform enqueue(
      'email_subscriptions.send',
      json_build_object('status_id', new.status_id::text),
      priority => 10,
      run_at => now() + interval '2 minutes',
      job_key => format('email_subscriptions:%s', new.status_id)
    );
  end if;
  return null;
end
$$;
