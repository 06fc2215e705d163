create index analytics_increments_by_sale on analytics_increments (account_id, sale_at);
