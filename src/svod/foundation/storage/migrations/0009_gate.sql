-- Judged questions, and what was fitted to them for each collection and pair of languages.

-- A question whose answer someone has judged: the item that should be found, or none where nothing
-- of the collection answers. It goes with its item; where an item was moved, it counts where that is now.
create table judgement (
  workspace_id bigint not null,
  judgement_id bigint not null,
  namespace_id int not null,
  item_id bigint,
  sealed_question bytea not null,
  question_key bytea not null,
  created_by int not null,
  created_at timestamptz not null,
  primary key (workspace_id, judgement_id),
  unique (workspace_id, namespace_id, question_key),
  foreign key (workspace_id, namespace_id) references namespace on delete cascade,
  foreign key (workspace_id, item_id) references item on delete cascade
);
create index judgement_item on judgement (workspace_id, item_id);

-- What the judged questions of a collection say for questions in one language over texts in another:
-- the least strength of evidence that an answer may rest on (null while too few are judged), and the
-- curve from the default score to theirs. `basis` names the scales they were fitted on: strengths of
-- another gate or another model do not count.
create table judged_fit (
  workspace_id bigint not null,
  namespace_id int not null,
  languages text not null check (languages in ('ru-ru', 'ru-en', 'en-ru', 'en-en')),
  basis text not null,
  answerable int not null,
  unanswerable int not null,
  threshold float8,
  intercept float8 not null,
  slope float8 not null check (slope > 0),
  fitted_at timestamptz not null,
  primary key (workspace_id, namespace_id, languages, basis),
  foreign key (workspace_id, namespace_id) references namespace on delete cascade
);
