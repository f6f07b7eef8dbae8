@hemiola debug
