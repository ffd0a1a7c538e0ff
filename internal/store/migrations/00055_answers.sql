-- +goose Up
-- How often the choices of a question were chosen is read from this index alone.
CREATE INDEX loyalty_question_responses_of_choices ON loyalty_question_responses (loyalty_question_id, loyalty_question_choice_id);

-- +goose Down
DROP INDEX loyalty_question_responses_of_choices;
