-- Exposures of experiments are events. Other events never enter this index, so it costs ingest nothing.
create index events_of_exposures on events (account_id, (properties ->> 'experiment'), id) where event = 'experiment_exposure';
