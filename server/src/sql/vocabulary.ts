/**
 * What a statement may use of PostgreSQL. All else is refused: functions that lock, wait, notify, read the catalog or files, change
 * settings, run SQL in a text, or make texts of any size.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const TYPES = words(`
  bool boolean int2 int4 int8 smallint integer bigint float4 float8 numeric decimal real money
  text varchar bpchar char name uuid bytea bit varbit inet cidr
  date time timetz timestamp timestamptz interval json jsonb jsonpath tsvector tsquery
  int4range int8range numrange tsrange tstzrange daterange`);

export const FUNCTIONS = words(`
  public_id uuid_of

  count sum avg min max any_value array_agg string_agg json_agg jsonb_agg json_object_agg jsonb_object_agg bool_and bool_or every
  bit_and bit_or bit_xor range_agg stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp regr_avgx regr_avgy
  regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy mode percentile_cont percentile_disc
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value

  abs cbrt ceil ceiling degrees div erf erfc exp factorial floor gcd lcm ln log log10 min_scale mod pi power pow radians random round scale sign
  sqrt trim_scale trunc width_bucket acos asin atan atan2 cos cot sin tan sinh cosh tanh

  ascii btrim casefold char_length character_length chr concat concat_ws convert_from decode encode initcap left length lower lpad ltrim md5
  normalize octet_length overlay parse_ident position quote_literal regexp_count regexp_instr regexp_like regexp_match regexp_matches
  regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr replace reverse right rpad rtrim sha256 split_part starts_with
  string_to_array string_to_table strpos substr substring to_hex translate trim unistr upper like_escape similar_to_escape is_normalized

  age clock_timestamp date_add date_bin date_part date_subtract date_trunc extract isfinite justify_days justify_hours justify_interval
  make_date make_interval make_time make_timestamp make_timestamptz now overlaps statement_timestamp timeofday timezone to_char to_date
  to_number to_timestamp transaction_timestamp

  array_append array_cat array_dims array_length array_ndims array_position array_positions array_prepend array_remove array_replace
  array_reverse array_sort array_to_json array_to_string cardinality generate_series generate_subscripts trim_array unnest

  json_array_elements jsonb_array_elements json_array_elements_text jsonb_array_elements_text json_array_length jsonb_array_length
  json_build_array jsonb_build_array json_build_object jsonb_build_object json_each jsonb_each json_each_text jsonb_each_text
  json_extract_path jsonb_extract_path json_extract_path_text jsonb_extract_path_text json_object jsonb_object json_object_keys
  jsonb_object_keys json_populate_record jsonb_populate_record json_strip_nulls jsonb_strip_nulls json_to_record jsonb_to_record
  json_to_recordset jsonb_to_recordset json_typeof jsonb_typeof jsonb_path_exists jsonb_path_match jsonb_path_query jsonb_path_query_array
  jsonb_path_query_first jsonb_pretty jsonb_set jsonb_insert row_to_json to_json to_jsonb

  greatest least coalesce nullif num_nonnulls num_nulls grouping isempty lower_inc lower_inf upper_inc upper_inf range_merge
  daterange tsrange tstzrange int4range int8range numrange host family masklen text get_byte get_bit bit_count
  uuid_extract_timestamp uuid_extract_version ts_headline to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank
  ts_rank_cd`);

/** The second argument of these is the length of their result. */
export const PADDING = words('lpad rpad');
export const MAX_PADDING = 10_000;

/** What a parsed statement consists of. */
export const NODES = words(`
  SelectStmt ResTarget ColumnRef A_Star A_Const A_Expr A_ArrayExpr A_Indirection A_Indices BoolExpr BooleanTest CaseExpr CaseWhen CoalesceExpr
  CollateClause CommonTableExpr FuncCall GroupingFunc GroupingSet JoinExpr List MinMaxExpr NamedArgExpr NullTest ParamRef RangeFunction
  RangeSubselect RangeVar RowExpr SortBy SQLValueFunction String Integer Float Boolean BitString SubLink TypeCast TypeName WindowDef ColumnDef`);

/** Members of nodes that contain another node of one type. */
export const MEMBERS: Readonly<Record<string, string>> = {
  larg: 'SelectStmt',
  rarg: 'SelectStmt',
  typeName: 'TypeName',
  alias: 'Alias',
  join_using_alias: 'Alias',
  withClause: 'WithClause',
  over: 'WindowDef',
  ival: 'Integer',
  fval: 'Float',
  sval: 'String',
  bsval: 'BitString',
  boolval: 'Boolean',
};

/** Without arguments and parentheses: those that tell about the role or the database are not among them. */
export const VALUE_FUNCTIONS = words(`
  SVFOP_CURRENT_DATE SVFOP_CURRENT_TIME SVFOP_CURRENT_TIME_N SVFOP_CURRENT_TIMESTAMP SVFOP_CURRENT_TIMESTAMP_N SVFOP_LOCALTIME SVFOP_LOCALTIME_N
  SVFOP_LOCALTIMESTAMP SVFOP_LOCALTIMESTAMP_N`);
