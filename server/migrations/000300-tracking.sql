-- Whoever has a publishable key names the experiment, and an index refuses rows with long texts: it holds as much of the name as a key may have, and one character more.
drop index events_of_exposures;
create index events_of_exposures on events (account_id, left(properties ->> 'experiment', 65), id) where event = 'experiment_exposure';
