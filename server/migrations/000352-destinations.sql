-- Destinations learn of sessions that are identified after their start.
insert into outbox_subscriptions (account_id, topic, subscriber_id)
select account_id, 'session.identified', id from destinations where mode <> 'off' and platform <> 'cdn'
on conflict do nothing;
