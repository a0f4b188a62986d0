-- Tasks about pull requests get the names that the code gives them now. Keys and topics contain the type, so that they
-- change with it: a task that was answered before stays answered.
UPDATE "OutboxOrder" SET
  "type" = 'updatePullRequestView',
  "key" = replace("key", '/showPullRequest/', '/updatePullRequestView/'),
  "subject" = replace("subject", '/showPullRequest/', '/updatePullRequestView/'),
  "topic" = replace("topic", '/showPullRequest/', '/updatePullRequestView/'),
  "payload" = jsonb_set("payload", '{type}', '"updatePullRequestView"')
WHERE "type" = 'showPullRequest';

UPDATE "OutboxOrder" SET
  "type" = 'answerTrigger',
  "key" = replace("key", '/answerGesture/', '/answerTrigger/'),
  "subject" = replace("subject", '/answerGesture/', '/answerTrigger/'),
  "payload" = ("payload" - 'gesture') || jsonb_build_object(
    'type', 'answerTrigger',
    'trigger', CASE WHEN "payload"->'gesture'->>'type' = 'box'
      THEN jsonb_set("payload"->'gesture', '{type}', '"checkbox"')
      ELSE "payload"->'gesture' END)
WHERE "type" = 'answerGesture';
